/* table.h: finds an operation by its PTX spelling. */
#ifndef KIT_TABLE_H
#define KIT_TABLE_H

#include "harness/sim/decode/isa.h"

struct table;

/* Made once a decode: some 400 insertions, a few microseconds. NULL if memory runs out. */
struct table *table_open(const struct isa *isa);
/* "fma.rn.f32" to its row; NULL if no table has it. Comparisons have keys of their own:
 * "setp_lt_s32". */
const struct op_info *table_find(const struct table *table, const char *key);
void table_close(struct table *table);

#endif
