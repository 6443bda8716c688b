/* plan_makers.c: which operation of a program has made what another one reads, across basic blocks.
 */
#include <stdlib.h>

#include "harness/sim/model/planner.h"

struct makers {
  const struct program *program;
  int *block_of;         /* by operation */
  int *first_before;     /* by block: where those that lead to it begin in `before` */
  int *before;           /* blocks */
  int *seen, generation; /* by block: the last search that has been there */
};

enum { MOST_BLOCKS = 64 }; /* that a search goes through */

static int successors(const struct basic_block *block, int *to) {
  int count = 0;
  bool falls = block->end != END_JUMP && block->end != END_RETURN && block->end != END_EXIT;
  if (falls && block->next != NO_BLOCK) to[count++] = block->next;
  if ((block->end == END_JUMP || block->end == END_BRANCH) && block->target != NO_BLOCK)
    to[count++] = block->target;
  return count;
}

struct makers *makers_open(const struct program *program) {
  size_t blocks = (size_t)program->block_count;
  struct makers *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->program = program;
  m->block_of = calloc((size_t)program->op_count + 1, sizeof *m->block_of);
  m->first_before = calloc(blocks + 2, sizeof *m->first_before);
  m->before = calloc(2 * blocks + 1, sizeof *m->before);
  m->seen = calloc(blocks + 1, sizeof *m->seen);
  if (!m->block_of || !m->first_before || !m->before || !m->seen) {
    makers_close(m);
    return NULL;
  }
  int to[2];
  for (int i = 0; i < program->block_count; i++) {
    const struct basic_block *block = &program->blocks[i];
    for (int k = 0; k < block->count; k++) m->block_of[block->first + k] = i;
    for (int k = successors(block, to) - 1; k >= 0; k--) m->first_before[to[k] + 2]++;
  }
  for (size_t i = 1; i <= blocks; i++) m->first_before[i + 1] += m->first_before[i];
  for (int i = 0; i < program->block_count; i++)
    for (int k = successors(&program->blocks[i], to) - 1; k >= 0; k--)
      m->before[m->first_before[to[k] + 1]++] = i;
  return m;
}

void makers_close(struct makers *m) {
  if (!m) return;
  free(m->block_of);
  free(m->first_before);
  free(m->before);
  free(m->seen);
  free(m);
}

/* The last operation of [first, end) that writes to the slot, or NULL. */
static const struct op *last_writer(const struct op *first, const struct op *end, uint32_t slot) {
  while (end > first) {
    end--;
    for (int k = 0; k < OP_SLOTS; k++)
      if (end->written >> k & 1 && end->slot[k] == slot) return end;
  }
  return NULL;
}

int makers_of(struct makers *m, const struct op *by, uint32_t slot,
              const struct op *found[MAKERS]) {
  const struct program *program = m->program;
  int block = m->block_of[by - program->ops], waiting[MOST_BLOCKS], count = 0, searched = 0,
      makers = 0;
  found[0] = last_writer(&program->ops[program->blocks[block].first], by, slot);
  if (found[0]) return 1;
  if (slot < program->constant_bytes) return 0;
  m->generation++;
  waiting[count++] = block;
  while (count > 0) {
    block = waiting[--count];
    if (++searched > MOST_BLOCKS) return 0;
    for (int i = m->first_before[block]; i < m->first_before[block + 1]; i++) {
      int from = m->before[i];
      if (m->seen[from] == m->generation) continue;
      m->seen[from] = m->generation;
      const struct op *first = &program->ops[program->blocks[from].first];
      const struct op *writer = last_writer(first, first + program->blocks[from].count, slot);
      if (writer) {
        int known = 0;
        while (known < makers && found[known] != writer) known++;
        if (known == MAKERS) return 0;
        found[known] = writer;
        makers += known == makers;
      } else if (count < MOST_BLOCKS) {
        waiting[count++] = from;
      } else {
        return 0;
      }
    }
  }
  return makers;
}

const struct op *maker_of(struct makers *m, const struct op *by, uint32_t slot) {
  const struct op *found[MAKERS];
  return makers_of(m, by, slot, found) == 1 ? found[0] : NULL;
}

int number_of(const struct makers *m, const struct op *op) { return (int)(op - m->program->ops); }

const struct basic_block *block_of(const struct makers *m, const struct op *op) {
  return &m->program->blocks[m->block_of[op - m->program->ops]];
}

const struct op *block_end(const struct makers *m, const struct op *op) {
  const struct basic_block *block = block_of(m, op);
  return &m->program->ops[block->first + block->count];
}
