/* dump.c: all answers of a device in a file: what a GPU's answers travel in, before they become a
 * record; see arithmetic.h.
 *
 * A line of text, "arithmetic raw|differences NAME", then for each instruction its opcode (48
 * bytes), the number of tuples (32 bits) and the answers (64 bits each). Of answers that are as
 * expected the differences are 0, so that gzip makes little of them; only the program that wrote
 * such a file can read it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/arithmetic/arithmetic.h"

/* One is read while the other is written. */
static struct dump {
  FILE *file;
  const char *path;
  bool raw;
} to, from;

static void must_write(const void *bytes, size_t size) {
  if (fwrite(bytes, 1, size, to.file) != size) die("%s: %s", to.path, strerror(errno));
}

void dump_begin(const char *path, const struct executor *executor, bool raw) {
  to.path = path;
  to.raw = raw;
  to.file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
  if (!to.file) die("%s: %s", path, strerror(errno));
  fprintf(to.file, "arithmetic %s %s\n", raw ? "raw" : "differences", executor->name);
}

void dump_add(const struct instruction *in, const uint64_t *operands, int count,
              const uint64_t *answers) {
  uint32_t tuples = (uint32_t)count;
  must_write(in->row.opcode, sizeof in->row.opcode);
  must_write(&tuples, sizeof tuples);
  for (int i = 0; i < count; i++) {
    uint64_t v[SOURCES], answer = answers[i];
    operands_tuple(in, operands, count, i, v);
    if (!to.raw) answer ^= instruction_expected(in, v);
    must_write(&answer, sizeof answer);
  }
}

void dump_end(void) {
  if (fflush(to.file) != 0 || ferror(to.file)) die("%s: %s", to.path, strerror(errno));
  if (to.file != stdout) fclose(to.file);
  to.file = NULL;
}

static void load(int first, int end) { (void)first, (void)end; }

/* Instructions come in any order, mostly that of the file. */
static void run(int number, const uint64_t *operands, int count, uint64_t *answers) {
  const struct instruction *in = &instructions[number];
  for (int round = 0; round < 2; round++) {
    char opcode[sizeof in->row.opcode];
    uint32_t tuples;
    while (fread(opcode, 1, sizeof opcode, from.file) == sizeof opcode &&
           fread(&tuples, sizeof tuples, 1, from.file) == 1) {
      if (strncmp(opcode, in->row.opcode, sizeof opcode) != 0) {
        fseek(from.file, (long)tuples * (long)sizeof *answers, SEEK_CUR);
        continue;
      }
      if (tuples != (uint32_t)count || fread(answers, sizeof *answers, tuples, from.file) != tuples)
        die("%s: %s has other operands", from.path, in->row.opcode);
      for (int i = 0; i < count && !from.raw; i++) {
        uint64_t v[SOURCES];
        operands_tuple(in, operands, count, i, v);
        answers[i] ^= instruction_expected(in, v);
      }
      return;
    }
    rewind(from.file);
    if (fscanf(from.file, "%*[^\n]") == EOF) break;
    fgetc(from.file);
  }
  die("%s: no answers for %s: measure anew", from.path, in->row.opcode);
}

void executor_open_dump(struct executor *executor, const char *path) {
  char kind[16] = "";
  *executor = (struct executor){.load = load, .run = run};
  from.path = path;
  from.file = fopen(path, "rb");
  if (!from.file) die("%s: %s", path, strerror(errno));
  if (fscanf(from.file, "arithmetic %15s %127[^\n]", kind, executor->name) != 2 ||
      fgetc(from.file) != '\n')
    die("%s: no answers in it", path);
  from.raw = strcmp(kind, "raw") == 0;
}
