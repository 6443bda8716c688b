/* kernel_rows.h: the rows of sim_rows.h that random kernels are made of; see kernel_rows.c. */
#ifndef KIT_FUZZ_KERNEL_ROWS_H
#define KIT_FUZZ_KERNEL_ROWS_H

#include <stdbool.h>
#include <stdint.h>

struct row;

int rows_count(void);
const struct row *rows_at(int i);
/* NULL if there is none of that spelling. */
const struct row *rows_find(const char *opcode);
const char *rows_opcode(const struct row *row);
/* Type k of a row, 0 being the destination's: "s16"; "" behind the last. */
const char *rows_type(const struct row *row, int k);
uint64_t rows_result(const struct row *row, const uint64_t *values);

#endif
