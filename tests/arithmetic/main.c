/* main.c: build/arithmetic holds the simulator's arithmetic instructions against an H100's answers.
 *
 *     build/arithmetic [--table] RECORD        replays: the simulator's answers against the record
 *     build/arithmetic --answers FILE DEVICE   all answers of a device: gpu, simulator, or an
 *                                              earlier file
 *     build/arithmetic --raw FILE DEVICE       the same for another version of this program to read
 *     build/arithmetic --record FILE DEVICE    makes the record of them
 *     build/arithmetic --ptx FOLDER            the PTX, for ptxas to look at
 *
 * tests/arithmetic/README.md says how a record is made. A replay prints a line for each instruction
 * that differs, with the first operands, what the simulator answers and what the GPU did, and at
 * the end `N of M instructions equal`. Answers must be the same to the bit; of approximations those
 * that are zero, infinite or NaN, and the others within NVIDIA's bounds. --table prints how far
 * those are off. Exit status: 0 all are equal, 1 some are not, 2 anything else.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/exec/machine.h"
#include "tests/arithmetic/arithmetic.h"
#include "tests/arithmetic/record.h"

_Noreturn void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  fputs("arithmetic: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

void *must_allocate(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory) die("out of memory");
  return memory;
}

/* ---- how good an approximation must be ---- */

/* Of a result's last place; of the result; a fixed amount; of the result, if that is over 1. */
enum unit { ULP, RELATIVE, ABSOLUTE, OF_LARGE };

/* What is promised: PTX ISA 8.8, "Floating-Point Instructions", the section of each instruction;
 * for rsqrt.approx.f64 the CUDA C++ Programming Guide, "Mathematical Functions", of rsqrt(); for
 * sin and cos beyond 100 pi nobody promises anything, so there (and below) simulator and GPU are
 * held against each other. Absolute values of the last source from low to high are what a bound is
 * for; an instruction may have several. The Guide's "Intrinsic Functions" has the same of
 * __fdividef() and __log2f(), and of __sinf() and __cosf() less (2^-21.41 and 2^-21.19 for
 * |a| <= pi). PTX ISA 8.8 has 2 ulp for ex2, which 2^-22 implies. */
static const struct bound {
  const char *opcode;
  enum unit unit;
  double most, low, high;
  const char *words;
  bool of_gpu; /* the distance between simulator and GPU */
} bounds[] = {
    {"div.approx", ULP, 2, 0x1p-126, 0x1p126, "2 ulp, |b| in [2^-126, 2^126]", false},
    {"div.full", ULP, 2, 0, INFINITY, "2 ulp", false},
    {"rcp.approx.f32", ULP, 1, 0, INFINITY, "1 ulp", false},
    {"rcp.approx.ftz.f32", ULP, 1, 0, INFINITY, "1 ulp", false},
    {"rcp.approx.ftz.f64", RELATIVE, 0x1p-20, 0, INFINITY, "2^-20 of the result", false},
    {"sqrt.approx", RELATIVE, 0x1p-23, 0, INFINITY, "2^-23 of the result", false},
    {"rsqrt.approx.f64", ULP, 1, 0, INFINITY, "1 ulp", false},
    {"rsqrt.approx.f32", RELATIVE, 0x1.125fbee250664p-23, 0, INFINITY, "2^-22.9 of the result",
     false},
    {"rsqrt.approx.ftz.f64", RELATIVE, 0x1p-20, 0, INFINITY, "(2^-20 of the result)", false},
    {"rsqrt.approx.ftz.f32", RELATIVE, 0x1.125fbee250664p-23, 0, INFINITY, "2^-22.9 of the result",
     false},
    {"sin.approx", ABSOLUTE, 0x1.6a09e667f3bcdp-21, 0, 6.2831853, "2^-20.5, |a| <= 2 pi", false},
    {"sin.approx", ABSOLUTE, 0x1.3b2c47bff832cp-15, 0, 314.15926, "2^-14.7, |a| <= 100 pi", false},
    {"sin.approx", ABSOLUTE, 0x1p-21, 0, INFINITY, "(2^-21 apart, any a)", true},
    {"cos.approx", ABSOLUTE, 0x1.6a09e667f3bcdp-21, 0, 6.2831853, "2^-20.5, |a| <= 2 pi", false},
    {"cos.approx", ABSOLUTE, 0x1.3b2c47bff832cp-15, 0, 314.15926, "2^-14.7, |a| <= 100 pi", false},
    {"cos.approx", ABSOLUTE, 0x1p-21, 0, INFINITY, "(2^-21 apart, any a)", true},
    {"lg2.approx", OF_LARGE, 0x1p-22, 0, INFINITY, "2^-22 if a in (0.5, 2), else of the result",
     false},
    {"ex2.approx.f16", RELATIVE, 0x1.125fbee250664p-10, 0, INFINITY, "2^-9.9 of the result", false},
    {"ex2.approx.ftz.bf16", RELATIVE, 0x1p-7, 0, INFINITY, "2^-7 of the result", false},
    {"tanh.approx.f16", ABSOLUTE, 0x1.024p-11, 0, INFINITY, "2^-10.987", false},
    {"tanh.approx.bf16", ABSOLUTE, 0x1p-8, 0, INFINITY, "2^-8", false},
    {"ex2.approx.f32", RELATIVE, 0x1p-22, 0, INFINITY, "2^-22 of the result", false},
    {"ex2.approx.ftz.f32", RELATIVE, 0x1p-22, 0, INFINITY, "2^-22 of the result", false},
    {"tanh.approx.f32", RELATIVE, 0x1p-11, 0, INFINITY, "2^-11 of the result", false},
};
enum { MOST_BOUNDS = 3 };

/* How far answers are off, of those that a bound is for. */
struct tally {
  const struct bound *bound;
  double ours, theirs, apart;
  int count;
};

/* Returns how many bounds an opcode has. */
static int find_bounds(const char *opcode, struct tally tallies[MOST_BOUNDS]) {
  int count = 0;
  for (size_t i = 0; i < ROWS_OF(bounds) && count < MOST_BOUNDS; i++)
    if (strncmp(opcode, bounds[i].opcode, strlen(bounds[i].opcode)) == 0)
      tallies[count++] = (struct tally){.bound = &bounds[i]};
  if (count == 0) die("%s is an approximation, but nothing says how good", opcode);
  return count;
}

/* The distance from the exact value, in the bound's unit. Numbers below the smallest normal one
 * have its last place. */
static double error_of(const struct bound *bound, const char *type, uint64_t answer,
                       long double exact) {
  bool single = type[1] == '3';
  long double off = fabsl(number(type, answer) - exact),
              smallest = strcmp(type, "f16") == 0              ? 0x1p-14L
                         : single || strcmp(type, "bf16") == 0 ? 0x1p-126L
                                                               : 0x1p-1022L;
  long double size = fabsl(exact) > smallest ? fabsl(exact) : smallest;
  if (bound->unit == ABSOLUTE || (bound->unit == OF_LARGE && size < 1)) return (double)off;
  if (bound->unit != ULP) return (double)(off / size);
  return (double)(off / ldexpl(1, ilogbl(size) - (single ? 23 : 52)));
}

static bool is_special(const char *type, uint64_t bits) {
  long double x = number(type, bits);
  return x == 0 || !isfinite(x);
}

/* ---- replay ---- */

static struct {
  int equal, total;
  bool table;
} run;

static void print_difference(const struct instruction *in, int i, int count, int different,
                             const uint64_t *v, uint64_t ours, uint64_t theirs) {
  printf("differs: %s: %d of %d answers; tuple %x:", in->row.opcode, different, count, (unsigned)i);
  for (int k = 0; k < in->sources; k++) {
    printf(" 0x%" PRIx64, cut(v[k], type_bits(in->row.types[1 + k])));
    if (is_float(in->row.types[1 + k])) printf(" (%.9Lg)", number(in->row.types[1 + k], v[k]));
  }
  printf(" gives 0x%" PRIx64 ", on the GPU 0x%" PRIx64, ours, theirs);
  if (is_float(in->row.types[0]))
    printf(" (%.9Lg, %.9Lg)", number(in->row.types[0], ours), number(in->row.types[0], theirs));
  putchar('\n');
}

static void print_amount(const struct bound *bound, double amount) {
  if (bound->unit == ULP || amount == 0)
    printf("  %6.2f%s", amount, bound->unit == ULP ? " ulp " : "     ");
  else
    printf("  2^%-8.2f", log2(amount));
}

static void print_tally(const char *opcode, const struct tally *tally) {
  printf("%-20s", opcode);
  print_amount(tally->bound, tally->theirs);
  print_amount(tally->bound, tally->ours);
  print_amount(tally->bound, tally->apart);
  printf("  %6d  %s\n", tally->count, tally->bound->words);
}

static void raise(double *most, double value) {
  if (value > *most) *most = value;
}

/* Counts the answers to v; true if they are within all bounds. */
static bool within_bounds(const struct instruction *in, const uint64_t *v, uint64_t ours,
                          uint64_t theirs, struct tally *tallies, int count) {
  const char *type = in->row.types[0];
  double at = (double)fabsl(number(in->row.types[in->sources], v[in->sources - 1]));
  long double exact = instruction_exact(in, v), their_number = number(type, theirs);
  bool within = true;
  for (int b = 0; b < count; b++) {
    const struct bound *bound = tallies[b].bound;
    if (at < bound->low || at > bound->high) continue;
    double off = error_of(bound, type, ours, exact),
           apart = error_of(bound, type, ours, their_number);
    if ((bound->of_gpu ? apart : off) > bound->most) within = false;
    raise(&tallies[b].ours, off);
    raise(&tallies[b].theirs, error_of(bound, type, theirs, exact));
    raise(&tallies[b].apart, apart);
    tallies[b].count++;
  }
  return within;
}

/* True if all answers are as they must be. */
static bool compare(const struct instruction *in, const uint64_t *operands, int count,
                    const uint64_t *ours, const uint64_t *theirs) {
  const char *type = in->row.types[0];
  struct tally tallies[MOST_BOUNDS];
  int tally_count = in->row.close ? find_bounds(in->row.opcode, tallies) : 0;
  int different = 0, first = 0;
  for (int i = 0; i < count; i++) {
    uint64_t v[SOURCES];
    operands_tuple(in, operands, count, i, v);
    bool same = in->row.close && !is_special(type, ours[i]) && !is_special(type, theirs[i])
                    ? within_bounds(in, v, ours[i], theirs[i], tallies, tally_count)
                    : ours[i] == theirs[i];
    if (!same && different++ == 0) first = i;
  }
  for (int b = 0; run.table && b < tally_count; b++) print_tally(in->row.opcode, &tallies[b]);
  if (!different) return true;
  uint64_t v[SOURCES];
  operands_tuple(in, operands, count, first, v);
  print_difference(in, first, count, different, v, ours[first], theirs[first]);
  return false;
}

static void replay_one(struct record *record, const struct executor *simulator, int number) {
  const struct instruction *in = &instructions[number];
  int count;
  uint64_t *operands = operands_make(in, &count);
  uint64_t *ours = must_allocate((size_t)count * sizeof *ours),
           *theirs = must_allocate((size_t)count * sizeof *theirs);
  const char *wrong = record_answers(record, in, operands, count, theirs);
  run.total++;
  if (wrong) {
    printf("%s %s\n", in->row.opcode, wrong);
  } else {
    simulator->run(number, operands, count, ours);
    run.equal += compare(in, operands, count, ours, theirs);
  }
  free(operands);
  free(ours);
  free(theirs);
}

/* Every spelling in the simulator's tables must be in the list. */
static int count_untried(const struct op_info *infos, int info_count) {
  int untried = 0;
  for (int i = 0; i < info_count; i++)
    for (const char *key = infos[i].keys; *key;) {
      size_t length = strcspn(key, " ");
      bool found = strncmp(key, "cvta", 4) == 0 || strncmp(key, "setp_", 5) == 0 ||
                   strncmp(key, "set_", 4) == 0 || strncmp(key, "fms.", 4) == 0 ||
                   strncmp(key, "fnma.", 5) == 0 || strncmp(key, "flush_", 6) == 0;
      for (int k = 0; k < instruction_count && !found; k++)
        found = strlen(instructions[k].row.opcode) == length &&
                memcmp(instructions[k].row.opcode, key, length) == 0;
      if (!found) printf("%.*s is in no row of sim_rows.h\n", (int)length, key);
      untried += !found;
      key += length + (key[length] == ' ');
    }
  return untried;
}

/* The kernels of a module at a time. */
static void each_module(const struct executor *executor, void (*one)(int number, void *context),
                        void *context) {
  for (int first = 0; first < instruction_count; first += KERNELS_A_MODULE) {
    int end = first + KERNELS_A_MODULE;
    if (end > instruction_count) end = instruction_count;
    executor->load(first, end);
    for (int i = first; i < end; i++) one(i, context);
  }
}

struct replay {
  struct record *record;
  struct executor executor;
};
static void replay_next(int number, void *context) {
  struct replay *replay = context;
  replay_one(replay->record, &replay->executor, number);
}

static int replay(const char *path) {
  struct replay replay = {.record = record_open(path)};
  executor_open_simulator(&replay.executor);
  const struct isa *isa = isa_best();
  int untried = count_untried(isa->hot, isa->hot_count) + count_untried(cold_ops, cold_op_count) +
                count_untried(half_ops, half_op_count);
  if (run.table)
    printf("%-20s  %-10s  %-10s  %-10s  %6s  %s\n", "worst in", record_device(replay.record),
           "simulator", "apart", "of", "CUDA's bound");
  each_module(&replay.executor, replay_next, &replay);
  const char *left = record_left_over(replay.record);
  if (left) printf("%s is recorded, but no instruction\n", left);
  printf("%d of %d instructions equal to those of %s\n", run.equal, run.total,
         record_device(replay.record));
  record_close(replay.record);
  return run.equal < run.total || untried || left;
}

/* ---- answers of a device ---- */

struct answers {
  struct executor executor;
  FILE *record;
};

static void answer_next(int number, void *context) {
  struct answers *to = context;
  const struct instruction *in = &instructions[number];
  int count, first = 0;
  uint64_t *operands = operands_make(in, &count),
           *answers = must_allocate((size_t)count * sizeof *answers);
  to->executor.run(number, operands, count, answers);
  for (int i = 0; i < count; i++) answers[i] = answer_cut(in, answers[i]);
  if (!to->record) {
    dump_add(in, operands, count, answers);
  } else {
    int unexpected = record_write(to->record, in, operands, count, answers, &first);
    if (unexpected) {
      uint64_t v[SOURCES];
      operands_tuple(in, operands, count, first, v);
      print_difference(in, first, count, unexpected, v, instruction_expected(in, v),
                       answers[first]);
    }
  }
  free(operands);
  free(answers);
}

static void open_device(struct executor *executor, const char *name) {
  if (strcmp(name, "gpu") == 0)
    executor_open_gpu(executor);
  else if (strcmp(name, "simulator") == 0)
    executor_open_simulator(executor);
  else
    executor_open_dump(executor, name);
}

static int write_answers(const char *how, const char *path, const char *device) {
  struct answers to = {0};
  open_device(&to.executor, device);
  if (strcmp(how, "--record") == 0) {
    to.record = fopen(path, "w");
    if (!to.record) die("%s: %s", path, strerror(errno));
    record_write_heading(to.record, to.executor.name);
  } else {
    dump_begin(path, &to.executor, strcmp(how, "--raw") == 0);
  }
  each_module(&to.executor, answer_next, &to);
  if (to.record && fclose(to.record) != 0) die("%s: %s", path, strerror(errno));
  if (!to.record) dump_end();
  return 0;
}

static int write_ptx(const char *folder) {
  for (int first = 0, n = 0; first < instruction_count; first += KERNELS_A_MODULE, n++) {
    int end = first + KERNELS_A_MODULE;
    if (end > instruction_count) end = instruction_count;
    char path[4096], *ptx = instructions_module(first, end);
    snprintf(path, sizeof path, "%s/%d.ptx", folder, n);
    FILE *file = fopen(path, "w");
    if (!file || fputs(ptx, file) < 0 || fclose(file) != 0) die("%s: %s", path, strerror(errno));
    free(ptx);
  }
  return 0;
}

int main(int argc, char **argv) {
  instructions_make();
  const char *how = argc > 1 ? argv[1] : "";
  if (argc == 2 && how[0] != '-') return replay(argv[1]);
  if (argc == 3 && strcmp(how, "--table") == 0) {
    run.table = true;
    return replay(argv[2]);
  }
  if (argc == 3 && strcmp(how, "--ptx") == 0) return write_ptx(argv[2]);
  if (argc == 4 &&
      (strcmp(how, "--answers") == 0 || strcmp(how, "--raw") == 0 || strcmp(how, "--record") == 0))
    return write_answers(how, argv[2], argv[3]);
  die("use: build/arithmetic [--table] RECORD, or --answers, --raw or --record FILE DEVICE, or "
      "--ptx FOLDER");
}
