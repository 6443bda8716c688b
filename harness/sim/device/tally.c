/* tally.c: adds up what workers counted; see tally.h. */
#include "tally.h"

#include <stdlib.h>
#include <string.h>

#include "cold.h"

/* Counts are kept by source line; a kernel has tens of lines and thousands of operations, most next
 * to one of the same line. */
enum { MOST_LINES = 4000 }; /* no source has more; a text that says so has them in one */

static struct counters *line_of(struct tally *tally, int line) {
  static _Thread_local struct counters spare;
  for (int i = tally->count - 1; i >= 0; i--)
    if (tally->lines[i].line == line) return &tally->lines[i].counters;
  if (tally->count == MOST_LINES) return &tally->lines[MOST_LINES - 1].counters;
  if (tally->count == tally->room) {
    int room = tally->room ? tally->room * 2 : 32;
    struct line_report *lines = realloc(tally->lines, (size_t)room * sizeof *lines);
    if (!lines) {
      tally->out_of_memory = true;
      return &spare;
    }
    tally->lines = lines;
    tally->room = room;
  }
  struct line_report *report = &tally->lines[tally->count++];
  memset(report, 0, sizeof *report);
  report->line = line;
  return &report->counters;
}

static void add_memory(uint64_t *v, const struct op *op, const struct op_counts *c, bool is_load) {
  if (!c->requests) return;
  bool atomic = op->body == cold_atomic;
  if (op->space == PTX_LOCAL) {
    v[is_load ? COUNTER_local_load_inst : COUNTER_local_store_inst] += c->requests;
  } else if (c->wavefronts) { /* shared, also through a generic address */
    if (atomic) {
      v[COUNTER_shared_atomic_inst] += c->requests;
      return;
    }
    v[is_load ? COUNTER_shared_load_inst : COUNTER_shared_store_inst] += c->requests;
    v[is_load ? COUNTER_shared_load_wavefronts : COUNTER_shared_store_wavefronts] += c->wavefronts;
    v[is_load ? COUNTER_shared_load_ideal : COUNTER_shared_store_ideal] += c->ideal;
    v[is_load ? COUNTER_shared_load_bytes : COUNTER_shared_store_bytes] += c->bytes;
  } else if (atomic) {
    v[COUNTER_global_atomic_requests] += c->requests;
    v[COUNTER_global_atomic_sectors] += c->sectors;
  } else if (c->sectors) { /* constant memory has none */
    v[is_load ? COUNTER_global_load_requests : COUNTER_global_store_requests] += c->requests;
    v[is_load ? COUNTER_global_load_sectors : COUNTER_global_store_sectors] += c->sectors;
    v[is_load ? COUNTER_global_load_lines : COUNTER_global_store_lines] += c->lines;
    v[is_load ? COUNTER_global_load_bytes : COUNTER_global_store_bytes] += c->bytes;
    v[is_load ? COUNTER_global_load_used_bytes : COUNTER_global_store_used_bytes] += c->used;
    v[is_load ? COUNTER_global_load_words : COUNTER_global_store_words] += c->words;
  }
}

static void add_block(struct tally *tally, const struct program *program,
                      const struct basic_block *block, const struct op_counts *op_counts,
                      const struct block_counts *counts) {
  if (!counts->executed) return;
  for (int i = block->first; i < block->first + block->count; i++) {
    const struct op *op = &program->ops[i];
    if (!op->counted) continue;
    uint64_t *v = line_of(tally, op->line)->value;
    v[COUNTER_inst_executed] += counts->executed;
    v[COUNTER_thread_inst_executed] += counts->lanes;
    if (op->flops)
      v[op->flops64 ? COUNTER_fp64_ops : COUNTER_fp32_ops] += op->flops * counts->lanes;
    if (op->size) add_memory(v, op, &op_counts[op->index], op->is_load);
  }
  if (block->end == END_NEXT) return;
  uint64_t *v = line_of(tally, block->line)->value;
  v[COUNTER_inst_executed] += counts->executed;
  v[COUNTER_thread_inst_executed] += counts->lanes;
  if (block->end == END_BARRIER) v[COUNTER_barriers] += counts->executed;
  if (block->end == END_BRANCH) v[COUNTER_branches] += counts->executed;
  v[COUNTER_divergent_branches] += counts->divergent;
}

void tally_add(struct tally *tally, const struct kernel *kernel, const struct op_counts *op_counts,
               const struct block_counts *block_counts) {
  for (int p = 0; p < kernel->program_count; p++) {
    const struct program *program = kernel->programs[p];
    for (int b = 0; b < program->block_count; b++)
      add_block(tally, program, &program->blocks[b], op_counts,
                &block_counts[program->block_base + b]);
  }
}

static int by_line(const void *a, const void *b) {
  const struct line_report *x = a, *y = b;
  return (x->line > y->line) - (x->line < y->line);
}

bool tally_finish(struct tally *tally, struct counters *sum, struct line_report **lines,
                  int *line_count) {
  memset(sum, 0, sizeof *sum);
  if (tally->out_of_memory) return false;
  if (tally->count) qsort(tally->lines, (size_t)tally->count, sizeof *tally->lines, by_line);
  for (int i = 0; i < tally->count; i++)
    for (int k = 0; k < COUNTERS; k++) sum->value[k] += tally->lines[i].counters.value[k];
  *lines = tally->lines;
  *line_count = tally->count;
  tally->lines = NULL;
  tally->count = tally->room = 0;
  return true;
}

void tally_release(struct tally *tally) { free(tally->lines); }
