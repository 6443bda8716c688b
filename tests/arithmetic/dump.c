/* dump.c: all answers of a device in a file: what a GPU's answers travel in, before they become a record; see
 * arithmetic.h.
 *
 * A line of text, "arithmetic raw|differences NAME", then for each instruction its opcode (48 bytes), the number of tuples
 * (32 bits) and the answers (64 bits each). Of answers that are as expected the differences are 0, so that gzip makes
 * little of them; only the program that wrote such a file can read it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic.h"

static FILE *file;
static const char *file_path;
static bool file_raw;

static void must_write(const void *bytes, size_t size) {
  if (fwrite(bytes, 1, size, file) != size) die("%s: %s", file_path, strerror(errno));
}

void dump_begin(const char *path, const struct executor *executor, bool raw) {
  file_path = path;
  file_raw = raw;
  file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
  if (!file) die("%s: %s", path, strerror(errno));
  fprintf(file, "arithmetic %s %s\n", raw ? "raw" : "differences", executor->name);
}

void dump_add(const struct instruction *in, const uint64_t *operands, int count,
              const uint64_t *answers) {
  uint32_t tuples = (uint32_t)count;
  must_write(in->row.opcode, sizeof in->row.opcode);
  must_write(&tuples, sizeof tuples);
  for (int i = 0; i < count; i++) {
    uint64_t v[SOURCES], answer = answers[i];
    operands_tuple(in, operands, count, i, v);
    if (!file_raw) answer ^= instruction_expected(in, v);
    must_write(&answer, sizeof answer);
  }
}

void dump_end(void) {
  if (fflush(file) != 0 || ferror(file)) die("%s: %s", file_path, strerror(errno));
  if (file != stdout) fclose(file);
  file = NULL;
}

static void load(int first, int end) { (void)first, (void)end; }

/* Instructions come in any order, mostly that of the file. */
static void run(int number, const uint64_t *operands, int count, uint64_t *answers) {
  const struct instruction *in = &instructions[number];
  for (int round = 0; round < 2; round++) {
    char opcode[sizeof in->row.opcode];
    uint32_t tuples;
    while (fread(opcode, 1, sizeof opcode, file) == sizeof opcode &&
           fread(&tuples, sizeof tuples, 1, file) == 1) {
      if (strncmp(opcode, in->row.opcode, sizeof opcode) != 0) {
        fseek(file, (long)tuples * (long)sizeof *answers, SEEK_CUR);
        continue;
      }
      if (tuples != (uint32_t)count || fread(answers, sizeof *answers, tuples, file) != tuples)
        die("%s: %s has other operands", file_path, in->row.opcode);
      for (int i = 0; i < count && !file_raw; i++) {
        uint64_t v[SOURCES];
        operands_tuple(in, operands, count, i, v);
        answers[i] ^= instruction_expected(in, v);
      }
      return;
    }
    rewind(file);
    if (fscanf(file, "%*[^\n]") == EOF) break;
    fgetc(file);
  }
  die("%s: no answers for %s: measure anew", file_path, in->row.opcode);
}

void executor_open_dump(struct executor *executor, const char *path) {
  char kind[16] = "";
  *executor = (struct executor){.load = load, .run = run};
  file_path = path;
  file = fopen(path, "rb");
  if (!file) die("%s: %s", path, strerror(errno));
  if (fscanf(file, "arithmetic %15s %127[^\n]", kind, executor->name) != 2 || fgetc(file) != '\n')
    die("%s: no answers in it", path);
  file_raw = strcmp(kind, "raw") == 0;
}
