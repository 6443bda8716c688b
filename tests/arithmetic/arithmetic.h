/* arithmetic.h: what the parts of build/arithmetic share; main.c says what the program does.
 *
 * An instruction is tried on `count` tuples of operands, the same on every machine: first its edges
 * in all combinations, then random ones. Operand k of tuple i is operands[k * count + i]; operands
 * and answers are 64 bits each, of which an instruction reads and writes those of its types. */
#ifndef KIT_TESTS_ARITHMETIC_H
#define KIT_TESTS_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/unit/sim_rows.h"

enum { RANDOM_TUPLES = 16384, MAX_INSTRUCTIONS = 2048, KERNELS_A_MODULE = 64 };

struct instruction {
  struct row row;   /* with an answer from plain C for every tuple */
  const char *body; /* PTX, %0 the destination, %1... the sources; NULL: the opcode alone */
  int sources;
};
extern struct instruction instructions[MAX_INSTRUCTIONS];
extern int instruction_count;

/* instructions.c: fills the list; the text of a module with kernels first to end - 1, which are
 * named k0, k1, ... and have 64-bit parameters: the sources' arrays, the answers' array, the number
 * of tuples. The caller frees it. */
void instructions_make(void);
char *instructions_module(int first, int end);
/* What the instruction should answer, from sim_oracle.h, with the NaN of an H100. */
uint64_t instruction_expected(const struct instruction *in, const uint64_t *v);
/* The same before rounding, for approximations. */
long double instruction_exact(const struct instruction *in, const uint64_t *v);

/* operands.c: the tuples of an instruction, in memory that the caller frees. */
uint64_t *operands_make(const struct instruction *in, int *count);
/* Those of tuple i, cut to their registers. */
void operands_tuple(const struct instruction *in, const uint64_t *operands, int count, int i,
                    uint64_t v[SOURCES]);
/* The bits of an answer that are defined. */
uint64_t answer_cut(const struct instruction *in, uint64_t bits);

/* What executes PTX: the simulator (simulated.c), a GPU through the CUDA driver (gpu.c), or a file
 * with what a GPU answered (dump.c). Ends the program with status 2 if it cannot. */
struct executor {
  char name[128]; /* of the device, for the record */
  void (*load)(int first, int end);
  void (*run)(int number, const uint64_t *operands, int count, uint64_t *answers);
};
void executor_open_simulator(struct executor *executor);
void executor_open_gpu(struct executor *executor);
void executor_open_dump(struct executor *executor, const char *path);
/* Writes answers into a dump, as what differs from the expected ones (so that it compresses well),
 * or as they are. */
void dump_begin(const char *path, const struct executor *executor, bool raw);
void dump_add(const struct instruction *in, const uint64_t *operands, int count,
              const uint64_t *answers);
void dump_end(void);

_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *must_allocate(size_t bytes);

#endif
