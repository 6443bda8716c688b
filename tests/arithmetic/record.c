/* record.c: reads and writes h100.tsv; see record.h. */
#include "tests/arithmetic/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* More would mean that sim_oracle.h does not know what the instruction does. */
enum { MAX_EXCEPTIONS = 4000 };

static uint64_t hash(const uint64_t *answers, int count) { /* FNV-1a */
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (int i = 0; i < count; i++)
    for (int shift = 0; shift < 64; shift += 8)
      h = (h ^ (answers[i] >> shift & 255)) * UINT64_C(0x100000001b3);
  return h;
}

/* Floating-point numbers in order, -0 before +0. */
static int64_t ordered(const char *type, uint64_t bits) {
  int sign = type_bits(type) - 1;
  int64_t magnitude = (int64_t)cut(bits, sign);
  return bits >> sign & 1 ? -1 - magnitude : magnitude;
}
static uint64_t from_ordered(const char *type, int64_t order) {
  int sign = type_bits(type) - 1;
  return order < 0 ? (uint64_t)(-1 - order) | UINT64_C(1) << sign : (uint64_t)order;
}

/* ---- writing ---- */

void record_write_heading(FILE *file, const char *device) {
  fprintf(file,
          "# What a GPU answers, see record.h; written by tests/arithmetic/measure.\n"
          "# device: %s\n"
          "# opcode\ttuples\thash\tanswers that sim_oracle.h does not expect\n",
          device);
}

static void write_point(FILE *file, int repeated) {
  if (repeated > 1) fprintf(file, "%d", repeated);
  if (repeated) fputc('.', file);
}

int record_write(FILE *file, const struct instruction *in, const uint64_t *operands, int count,
                 const uint64_t *answers, int *first) {
  const char *type = in->row.types[0];
  int exceptions = 0, points = 0;
  fprintf(file, "%s\t%d\t%016" PRIx64 "\t", in->row.opcode, count, hash(answers, count));
  for (int i = 0; i < count; i++) {
    uint64_t v[SOURCES], expected;
    operands_tuple(in, operands, count, i, v);
    expected = instruction_expected(in, v);
    if (in->row.close) {
      int64_t off = ordered(type, answers[i]) - ordered(type, expected);
      if (off == 0) {
        points++;
        continue;
      }
      write_point(file, points);
      points = 0;
      if (off > 0 && off <= 26)
        fputc('a' + (int)off - 1, file);
      else if (off < 0 && off >= -26)
        fputc('A' - (int)off - 1, file);
      else
        fprintf(file, "(%" PRId64 ")", off);
    } else if (answers[i] != expected) {
      if (exceptions == 0) *first = i;
      if (exceptions++ < MAX_EXCEPTIONS)
        fprintf(file, "%s%x:%" PRIx64, exceptions > 1 ? " " : "", (unsigned)i, answers[i]);
    }
  }
  write_point(file, points);
  if (!in->row.close && exceptions == 0) fputc('-', file);
  fputc('\n', file);
  return exceptions;
}

/* ---- reading ---- */

struct line {
  char *opcode, *answers;
  int count;
  uint64_t hash;
  bool asked;
};
struct record {
  char *text, device[128];
  struct line lines[MAX_INSTRUCTIONS];
  int line_count;
};

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    die("%s: %s; on a machine with a GPU, tests/arithmetic/measure writes it", path,
        strerror(errno));
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = must_allocate(size + 1);
  if (fread(text, 1, size, file) != size) die("%s: %s", path, strerror(errno));
  text[size] = '\0';
  fclose(file);
  return text;
}

struct record *record_open(const char *path) {
  struct record *record = must_allocate(sizeof *record);
  memset(record, 0, sizeof *record);
  char *rest = record->text = read_file(path), *text;
  for (int number = 1; (text = strsep(&rest, "\n")); number++) {
    if (sscanf(text, "# device: %127[^\n]", record->device) == 1 || !*text || *text == '#')
      continue;
    struct line *line = &record->lines[record->line_count];
    line->opcode = strsep(&text, "\t");
    char *count = strsep(&text, "\t"), *hashed = strsep(&text, "\t");
    if (!text || record->line_count == MAX_INSTRUCTIONS)
      die("%s:%d: a line is opcode, tuples, hash and answers", path, number);
    line->count = atoi(count);
    line->hash = strtoull(hashed, NULL, 16);
    line->answers = text;
    record->line_count++;
  }
  return record;
}

const char *record_device(const struct record *record) { return record->device; }

void record_close(struct record *record) {
  free(record->text);
  free(record);
}

/* Adds what the line says to the expected answers; false if it is no such line. */
static bool apply_exceptions(const char *at, int count, uint64_t *answers) {
  if (strcmp(at, "-") == 0) return true;
  while (*at) {
    char *end;
    unsigned long i = strtoul(at, &end, 16);
    if (*end != ':' || i >= (unsigned long)count) return false;
    answers[i] = strtoull(end + 1, &end, 16);
    at = end + (*end == ' ');
  }
  return true;
}

static bool apply_distances(const char *at, const char *type, int count, uint64_t *answers) {
  int i = 0;
  while (*at) {
    char *end = (char *)(uintptr_t)at;
    if (*at == '.' || (*at >= '0' && *at <= '9')) {
      long points = *at == '.' ? 1 : strtol(at, &end, 10);
      if (*end != '.' || points > count - i) return false;
      i += (int)points;
      at = end + 1;
      continue;
    }
    int64_t off = *at >= 'a' && *at <= 'z'   ? *at - 'a' + 1
                  : *at >= 'A' && *at <= 'Z' ? 'A' - 1 - *at
                                             : 0;
    if (off == 0) {
      if (*at != '(') return false;
      off = strtoll(at + 1, &end, 10);
      if (*end != ')') return false;
    }
    if (i == count) return false;
    answers[i] = from_ordered(type, ordered(type, answers[i]) + off);
    i++;
    at = end + 1;
  }
  return i == count;
}

const char *record_answers(struct record *record, const struct instruction *in,
                           const uint64_t *operands, int count, uint64_t *answers) {
  struct line *line = NULL;
  for (int l = 0; l < record->line_count; l++)
    if (strcmp(record->lines[l].opcode, in->row.opcode) == 0) line = &record->lines[l];
  if (!line) return "has no record";
  line->asked = true;
  if (line->count != count) return "is recorded with other operands";
  for (int i = 0; i < count; i++) {
    uint64_t v[SOURCES];
    operands_tuple(in, operands, count, i, v);
    answers[i] = instruction_expected(in, v);
  }
  if (!(in->row.close ? apply_distances(line->answers, in->row.types[0], count, answers)
                      : apply_exceptions(line->answers, count, answers)))
    return "has a record that makes no sense";
  /* Where the C library rounds exp2l() and its kin otherwise, expected approximations differ. */
  if (!in->row.close && hash(answers, count) != line->hash)
    return "has a record that sim_oracle.h does not lead to";
  return NULL;
}

const char *record_left_over(const struct record *record) {
  for (int l = 0; l < record->line_count; l++)
    if (!record->lines[l].asked) return record->lines[l].opcode;
  return NULL;
}
