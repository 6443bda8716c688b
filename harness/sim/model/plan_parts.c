/* plan_parts.c: what ptxas makes of control flow: which basic blocks are planned as one. */
#include <string.h>

#include "harness/sim/exec/trace.h"
#include "harness/sim/model/planner.h"

/* The block itself or, if all it does is jump, where that leads. */
static int skip_jumps(const struct program *program, int number) {
  for (int i = 0; i < 4 && number != NO_BLOCK && trace_skips(&program->blocks[number]); i++)
    number = program->blocks[number].end == END_JUMP ? program->blocks[number].target
                                                     : program->blocks[number].next;
  return number;
}

static bool add_part(struct parts *parts, const struct program *program, int number, int guard) {
  if (parts->count == MAX_PARTS || parts->ops + program->blocks[number].count > MAX_PART_OPS)
    return false;
  parts->ops += program->blocks[number].count;
  parts->item[parts->count].number = number;
  parts->item[parts->count].optional = guard >= 0;
  parts->item[parts->count++].guard = guard;
  return true;
}

static bool has_part(const struct parts *parts, int number) {
  for (int i = 0; i < parts->count; i++)
    if (parts->item[i].number == number) return true;
  return false;
}

static bool loads_global(const struct program *program, int number) {
  const struct basic_block *block = &program->blocks[number];
  for (int i = block->first; i < block->first + block->count; i++)
    if (program->ops[i].kind == OP_LOAD && program->ops[i].space == PTX_GLOBAL) return true;
  return false;
}

static bool stores_global(const struct program *program, int number) {
  const struct basic_block *block = &program->blocks[number];
  for (int i = block->first; i < block->first + block->count; i++)
    if (program->ops[i].kind == OP_STORE && program->ops[i].space == PTX_GLOBAL) return true;
  return false;
}

/* Does ptxas leave a branch around it, however short it is? */
static bool keeps_branch(const struct program *program, const struct basic_block *block) {
  for (int i = block->first; i < block->first + block->count; i++) {
    const struct op *op = &program->ops[i];
    if (op_branches(op) || is_convergent(op) || op->kind == OP_ATOMIC) return true;
  }
  return false;
}

/* What a branch skips that a compiler predicates instead. */
enum { MAX_SIDES = 6 };
struct sides {
  int count; /* 0: it does not */
  struct {
    int number, guard; /* guard: slot of its predicate */
  } side[MAX_SIDES];
  int meet; /* where it goes on */
};

static bool joins(const struct program *program, int number, int meet) {
  const struct basic_block *side = &program->blocks[number];
  return (side->end == END_JUMP && skip_jumps(program, side->target) == meet) ||
         (side->end == END_NEXT && skip_jumps(program, side->next) == meet);
}

static bool has_accesses(const struct program *program, const struct basic_block *block) {
  for (int i = block->first; i < block->first + block->count; i++)
    if (op_is_access(&program->ops[i])) return true;
  return false;
}

/* Adds the side and, if all that it does is to ask a second question (`a && b`), what comes if that
 * is true as well. Returns where it goes on; NO_BLOCK: there is a branch. */
static int add_sides(const struct program *program, struct sides *sides, int number, int guard) {
  for (;;) {
    const struct basic_block *side = &program->blocks[number];
    if (sides->count == MAX_SIDES || keeps_branch(program, side)) return NO_BLOCK;
    sides->side[sides->count].number = number;
    sides->side[sides->count++].guard = guard;
    if (joins(program, number, sides->meet)) return sides->meet;
    if (side->end != END_BRANCH || has_accesses(program, side)) return NO_BLOCK;
    int ways[2] = {skip_jumps(program, side->next), skip_jumps(program, side->target)};
    if (ways[0] != sides->meet && ways[1] != sides->meet) return NO_BLOCK;
    guard = (int)side->predicate;
    number = ways[0] == sides->meet ? ways[1] : ways[0];
  }
}

/* Are the instructions that a branch skips so few that a compiler predicates them instead?
 * Seen in what nvcc 13 makes of some 600 kernels with sides of 1 to 40 instructions: up to 20 of
 * SASS where there is a load from global memory to move across them, else 8; of two sides that load
 * nothing 20 and 12 together. */
static struct sides predicated_sides(const struct program *program, const int *instructions,
                                     const struct basic_block *block) {
  enum { FEW = 8, FEW_OF_TWO = 12, MORE = 20 };
  const struct sides none = {.count = 0};
  struct sides sides = none;
  if (block->end != END_BRANCH || block->reconverge == NO_BLOCK) return none;
  int ways[2] = {skip_jumps(program, block->next), skip_jumps(program, block->target)}, taken = 0;
  sides.meet = skip_jumps(program, block->reconverge);
  for (int i = 0; i < 2; i++) {
    if (ways[i] == sides.meet) continue;
    if (add_sides(program, &sides, ways[i], (int)block->predicate) == NO_BLOCK) return none;
    taken++;
  }
  if (taken == 2 && sides.count > 2) return none;
  int longest = 0, sum = 0;
  bool loads = false, stores = false;
  for (int i = 0; i < sides.count; i++) {
    int few = instructions[sides.side[i].number];
    sum += few;
    longest = few > longest ? few : longest;
    loads |= loads_global(program, sides.side[i].number);
    stores |= stores_global(program, sides.side[i].number);
  }
  int number = (int)(block - program->blocks);
  bool others = loads_global(program, sides.meet) || (!stores && loads_global(program, number));
  int most = loads || others ? MORE : FEW;
  bool fits =
      taken == 2 ? (loads ? longest <= most : sum <= (others ? MORE : FEW_OF_TWO)) : sum <= most;
  return fits ? sides : none;
}

bool is_predicated(const struct program *program, const int *instructions,
                   const struct basic_block *block) {
  return predicated_sides(program, instructions, block).count > 0;
}

void find_parts(const struct program *program, const int *instructions, int number,
                struct parts *parts) {
  *parts = (struct parts){.count = 0};
  add_part(parts, program, number, -1);
  for (;;) {
    struct sides sides = predicated_sides(program, instructions, &program->blocks[number]);
    struct parts more = *parts;
    bool fits = sides.count > 0 && !has_part(parts, sides.meet);
    for (int i = 0; fits && i < sides.count; i++)
      fits = !has_part(&more, sides.side[i].number) &&
             add_part(&more, program, sides.side[i].number, sides.side[i].guard);
    if (!fits || !add_part(&more, program, sides.meet, -1)) return;
    *parts = more;
    number = sides.meet;
  }
}

/* Does the operation add a constant to a register? */
static bool counts_on(const struct program *program, const struct op *op) {
  if (op->kind != OP_ROW || strncmp(op->row->name, "add_", 4) != 0) return false;
  int own = 0, constants = 0, to = __builtin_ctz(op->written | 1u << OP_SLOTS);
  for (int k = 0; k < OP_SLOTS && to < OP_SLOTS; k++) {
    if (!(op->read >> k & 1)) continue;
    own += op->slot[k] == op->slot[to];
    constants += op->slot[k] < program->constant_bytes;
  }
  return own == 1 && constants >= 1;
}

bool leads_back(const struct program *program, const struct parts *parts) {
  const struct basic_block *last = &program->blocks[parts->item[parts->count - 1].number];
  int first = parts->item[0].number;
  return last->end == END_BRANCH &&
         (skip_jumps(program, last->target) == first || skip_jumps(program, last->next) == first);
}

/* Slots of the frame, by their offsets. */
enum { MAX_MARKED = 64 };
struct marks {
  uint32_t slot[MAX_MARKED];
  int count;
};

static int find_mark(const struct marks *marks, uint32_t slot) {
  int i = 0;
  while (i < marks->count && marks->slot[i] != slot) i++;
  return i;
}
static void set_mark(struct marks *marks, uint32_t slot, bool is) {
  int i = find_mark(marks, slot);
  if (is && i == marks->count && i < MAX_MARKED) marks->slot[marks->count++] = slot;
  if (!is && i < marks->count) marks->slot[i] = marks->slot[--marks->count];
}
static bool reads_mark(const struct marks *marks, const struct op *op) {
  for (int k = 0; k < OP_SLOTS; k++)
    if (op->read >> k & 1 && find_mark(marks, op->slot[k]) < marks->count) return true;
  return false;
}
static bool is_row(const struct op *op, const char *name, const char *or_name) {
  return op->kind == OP_ROW && (strncmp(op->row->name, name, strlen(name)) == 0 ||
                                strncmp(op->row->name, or_name, strlen(or_name)) == 0);
}

/* Has clang unrolled the loop, and do most addresses of its global accesses come from indices of 32
 * bits to which each turn adds a constant? nvcc leaves them in 32 bits, too, and ptxas does not
 * unroll such a loop once more. */
static bool indices_step(const struct program *program, const struct parts *parts) {
  enum { CLANG_TURNS = 4 };
  struct marks indices = {.count = 0}, wide = {.count = 0};
  int accesses = 0, by_index = 0;
  for (int pass = 0; pass < 2; pass++) { /* the first finds what steps */
    for (int part = 0; part < parts->count; part++) {
      const struct basic_block *block = &program->blocks[parts->item[part].number];
      for (int i = block->first; i < block->first + block->count; i++) {
        const struct op *op = &program->ops[i];
        if (pass && op_is_access(op) && op->space == PTX_GLOBAL) {
          accesses++;
          by_index += find_mark(&wide, op->slot[0]) < wide.count;
        }
        if (!op->written) continue;
        uint32_t to = op->slot[__builtin_ctz(op->written)];
        bool steps = counts_on(program, op) && !op->wide,
             index = is_row(op, "add_32", "sub_32") && reads_mark(&indices, op),
             widened = (is_row(op, "mul_wide_", "cvt_s64_s32") || is_row(op, "cvt_u64_u32", "-")) &&
                       reads_mark(&indices, op),
             address = is_row(op, "add_64", "shl_64") && reads_mark(&wide, op);
        if (steps || pass) set_mark(&indices, to, steps || index);
        if (pass) set_mark(&wide, to, widened || address);
      }
    }
  }
  return accesses >= CLANG_TURNS && 2 * by_index > accesses;
}

/* Does what the loop is tested by count by more than one a turn? Then clang has unrolled it. */
static bool counts_by_more(const struct planner *b, const struct program *program,
                           const struct parts *parts) {
  const struct basic_block *last = &program->blocks[parts->item[parts->count - 1].number];
  uint32_t tested[OP_SLOTS] = {0};
  int count = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int part = 0; part < parts->count; part++) {
      const struct basic_block *block = &program->blocks[parts->item[part].number];
      for (int i = block->first; i < block->first + block->count; i++) {
        const struct op *op = &program->ops[i];
        if (!op->written) continue;
        uint32_t to = op->slot[__builtin_ctz(op->written)];
        if (!pass && op->predicate && to == last->predicate) {
          count = 0;
          for (int k = 0; k < OP_SLOTS; k++)
            if (op->read >> k & 1) tested[count++] = op->slot[k];
        }
        if (!pass || !counts_on(program, op)) continue;
        for (int k = 0; k < OP_SLOTS; k++) {
          if (!(op->read >> k & 1) || !is_constant(b, op->slot[k])) continue;
          int step = abs((int)constant_of(b, op->slot[k]));
          for (int t = 0; t < count; t++)
            if (tested[t] == to && step > 1) return true;
        }
      }
    }
  return false;
}

/* How often nvcc unrolls a loop of these blocks whose number of turns is known only at run time: 16
 * times if that makes no more than some 100 instructions (160 if it loads from global memory), 32
 * of them accesses, none of them stores and none predicated; else 4 times or twice, and ptxas once
 * more four times or not at all. Seen in what nvcc 13 makes of loops of any length. */
int turns_of(const struct planner *b, const struct program *program, const struct parts *parts) {
  enum { BODY = 160, WITHOUT_LOADS = 100, ACCESSES = 32 };
  static const int turns[] = {16, 4, 2, 1};
  int instructions = 0, accesses = 0, fewer = parts->count > 1;
  bool loads = false;
  if (!leads_back(program, parts) || program->blocks[parts->item[0].number].no_unroll ||
      indices_step(program, parts))
    return 1;
  for (int part = 0; part < parts->count; part++) {
    const struct basic_block *block = &program->blocks[parts->item[part].number];
    for (int i = block->first; i < block->first + block->count; i++) {
      const struct op *op = &program->ops[i];
      if (is_fence(op) || is_convergent(op) || op->is_volatile) return 1;
      if (op->varies == VARIES_BY_ANGLE) return 1; /* a loop is in them */
      struct cost cost = cost_of_op(op, b->sm);
      if (cost.unit != UNIT_NONE && !counts_on(program, op))
        instructions += op->body == cold_intrinsic ? cost.slots : 1;
      accesses += op_is_access(op);
      loads |= op->kind == OP_LOAD && op->space == PTX_GLOBAL;
      fewer |= op->kind == OP_ATOMIC || (op->kind == OP_STORE && op->space == PTX_GLOBAL);
    }
  }
  instructions--; /* the test */
  int i = fewer || (!loads && turns[0] * instructions > WITHOUT_LOADS);
  while (turns[i] > 1 && (turns[i] * instructions > BODY || turns[i] * accesses > ACCESSES)) i++;
  return turns[i] < 4 && counts_by_more(b, program, parts) ? 1 : turns[i];
}
