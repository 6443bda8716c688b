/* decode_carry.c: add.cc, addc, sub.cc, subc, mad.cc, madc: integers of many words. */
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

/* add.cc.type d, a, b; addc[.cc].type; mad[c].lo|hi[.cc].type d, a, b, c. The carry is a predicate
 * of the function's own. */
bool decode_carry(struct draft *draft, const struct ptx_instruction *in) {
  static const enum carry_operation operations[] = {CARRY_ADD, CARRY_ADD,    CARRY_SUB,
                                                    CARRY_SUB, CARRY_MAD_LO, CARRY_MAD_LO};
  int name = decode_word("add addc sub subc mad madc", in->parts[0]);
  bool takes = name & 1, gives = decode_has(in, "cc");
  if (name < 0 || !(takes || gives)) return false;
  bool multiplies = operations[name] == CARRY_MAD_LO, high = multiplies && decode_has(in, "hi");
  const char *type = in->parts[in->part_count - 1];
  int sources = multiplies ? 3 : 2;
  if (decode_word("u32 s32 u64 s64", type) < 0 || in->operand_count != 1 + sources ||
      in->part_count != 2 + gives + multiplies || (multiplies && !high && !decode_has(in, "lo")))
    return false;
  char width = decode_width(ptx_type_from(type));
  if (draft->carry == NO_VREG) draft->carry = draft_temporary(draft, 'p');
  struct draft_op d = draft_blank(cold_carry, in->line);
  d.reg[0] = decode_destination(draft, in, &in->operands[0], width);
  if (gives) d.reg[1] = draft->carry;
  for (int i = 0; i < sources; i++)
    d.reg[2 + i] = decode_source(draft, in, &in->operands[1 + i], width);
  if (takes) d.reg[5] = draft->carry;
  d.used = 6;
  d.writes = gives ? 3 : 1;
  d.op.kind = OP_CARRY;
  d.op.wide = width == 'd';
  d.op.carry.operation = high ? CARRY_MAD_HI : operations[name];
  d.op.carry.is_signed = type[0] == 's';
  d.op.carry.takes = takes;
  d.op.carry.gives = gives;
  draft_push(draft, &d);
  return true;
}
