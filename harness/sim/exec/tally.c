/* tally.c: adds up the counts of all workers, by source line and by array. */
#include "harness/sim/exec/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"

/* The counters of a source line. A kernel has tens of lines and thousands of operations, most of
 * them next to one of the same line. */
static uint64_t *line_of(struct tally *tally, int line) {
  static _Thread_local struct counters spare;
  struct counters *counters = line_list_at(&tally->lines, line);
  if (!counters) tally->out_of_memory = true;
  return counters ? counters->value : spare.value;
}

/* ---- accounts ---- */

void tally_book(struct worker *worker, int op, uint64_t window) {
  struct op_counts *from = &worker->op_counts[op];
  if (!from->requests) return;
  struct account *account = map_find(&worker->accounts, (uint64_t)op, window, true);
  if (!account) {
    worker->out_of_memory = true;
    return;
  }
  struct op_counts *to = &account->counts;
  to->requests += from->requests;
  to->lines += from->lines;
  to->bytes += from->bytes;
  to->used += from->used;
  to->words += from->words;
  to->wavefronts += from->wavefronts;
  to->ideal += from->ideal;
  to->turn_sectors += from->turn_sectors;
  for (int i = 0; i < SPREADS; i++) {
    to->spread[i].requests += from->spread[i].requests;
    to->spread[i].sectors += from->spread[i].sectors;
    to->spread[i].bytes += from->spread[i].bytes;
  }
  memset(from, 0, sizeof *from);
}

/* ---- instructions ---- */

static void add_block(struct tally *tally, const struct program *program,
                      const struct basic_block *block, const struct block_counts *counts) {
  if (!counts->executed) return;
  for (int i = block->first; i < block->first + block->count; i++) {
    const struct op *op = &program->ops[i];
    if (!op->counted) continue;
    uint64_t *v = line_of(tally, op->line);
    v[COUNTER_inst_executed] += counts->executed;
    v[COUNTER_thread_inst_executed] += counts->lanes;
    if (op->flops) v[op->wide ? COUNTER_fp64_ops : COUNTER_fp32_ops] += op->flops * counts->lanes;
  }
  if (block->end == END_NEXT) return;
  uint64_t *v = line_of(tally, block->line);
  v[COUNTER_inst_executed] += counts->executed;
  v[COUNTER_thread_inst_executed] += counts->lanes;
  if (block->end == END_BARRIER) v[COUNTER_barriers] += counts->executed;
  if (block->end == END_BRANCH) v[COUNTER_branches] += counts->executed;
  v[COUNTER_divergent_branches] += counts->divergent;
}

/* ---- accesses to memory ---- */

static void add_shared(uint64_t *v, const struct op *op, const struct op_counts *c) {
  if (op->kind == OP_ATOMIC) {
    v[COUNTER_shared_atomic_inst] += c->requests;
    return;
  }
  bool load = op_loads(op);
  v[load ? COUNTER_shared_load_inst : COUNTER_shared_store_inst] += c->requests;
  v[load ? COUNTER_shared_load_wavefronts : COUNTER_shared_store_wavefronts] += c->wavefronts;
  v[load ? COUNTER_shared_load_ideal : COUNTER_shared_store_ideal] += c->ideal;
  v[load ? COUNTER_shared_load_bytes : COUNTER_shared_store_bytes] += c->bytes;
}

static uint64_t sectors_of(const struct op_counts *c) {
  uint64_t sectors = 0;
  for (int i = 0; i < SPREADS; i++) sectors += c->spread[i].sectors;
  return sectors;
}

static void add_global(uint64_t *v, const struct op *op, const struct op_counts *c) {
  if (op->kind == OP_ATOMIC) {
    v[COUNTER_global_atomic_requests] += c->requests;
    v[COUNTER_global_atomic_sectors] += c->turn_sectors;
    v[COUNTER_global_atomic_bytes] += c->bytes;
    if (op->polls) v[COUNTER_global_atomic_load_bytes] += c->bytes;
    return;
  }
  bool load = op_loads(op);
  v[load ? COUNTER_global_load_requests : COUNTER_global_store_requests] += c->requests;
  v[load ? COUNTER_global_load_sectors : COUNTER_global_store_sectors] += sectors_of(c);
  v[load ? COUNTER_global_load_lines : COUNTER_global_store_lines] += c->lines;
  v[load ? COUNTER_global_load_bytes : COUNTER_global_store_bytes] += c->bytes;
  v[load ? COUNTER_global_load_used_bytes : COUNTER_global_store_used_bytes] += c->used;
  v[load ? COUNTER_global_load_words : COUNTER_global_store_words] += c->words;
}

static void add_traffic(struct tally *tally, const struct op *op, const struct allocation *a,
                        const struct op_counts *c, bool store) {
  struct traffic traffic = {.line = op->line, .store = store};
  snprintf(traffic.array, sizeof traffic.array, "%s", a->name);
  for (int i = 0; i < SPREADS; i++) {
    traffic.requests = c->spread[i].requests;
    traffic.sectors = c->spread[i].sectors;
    traffic.bytes = c->spread[i].bytes;
    if (traffic.bytes && !traffic_list_add(&tally->traffic, &traffic)) tally->out_of_memory = true;
  }
}

static void add_account(struct tally *tally, const struct memory *memory, const struct op *op,
                        const struct account *account) {
  const struct op_counts *c = &account->counts;
  uint64_t *v = line_of(tally, op->line);
  if (op->space == PTX_LOCAL) {
    v[op_loads(op) ? COUNTER_local_load_inst : COUNTER_local_store_inst] += c->requests;
  } else if (account->key.second == NO_WINDOW) {
    if (c->wavefronts) add_shared(v, op, c); /* else local memory through a generic address */
  } else {
    const struct allocation *a = memory->allocations[account->key.second];
    bool atomic = op->kind == OP_ATOMIC;
    if (!a->constant)
      add_global(v, op, c);
    else if (memory_constants_carry_data(memory))
      v[COUNTER_constant_load_bytes] += c->bytes;
    else
      return;
    if (op_loads(op) || (atomic && op->polls)) add_traffic(tally, op, a, c, false);
    if (!op_loads(op)) add_traffic(tally, op, a, c, true);
  }
}

/* ---- all ---- */

void tally_add(struct tally *tally, const struct worker *worker) {
  const struct kernel *kernel = worker->launch->kernel;
  for (int p = 0; p < kernel->program_count; p++) {
    const struct program *program = kernel->programs[p];
    for (int b = 0; b < program->block_count; b++)
      add_block(tally, program, &program->blocks[b],
                &worker->block_counts[program->block_base + b]);
  }
  for (size_t i = 0; i < worker->accounts.room; i++) {
    const struct account *account = map_at(&worker->accounts, i);
    if (account)
      add_account(tally, worker->launch->memory, kernel->ops[account->key.first], account);
  }
  tally->out_of_memory |= worker->out_of_memory;
}

bool tally_finish(struct tally *tally, struct launch_result *result) {
  struct counters *sum = &result->counters;
  memset(sum, 0, sizeof *sum);
  if (tally->out_of_memory) return false;
  line_list_merge(&tally->lines);
  traffic_list_merge(&tally->traffic);
  for (int i = 0; i < tally->lines.count; i++)
    for (int k = 0; k < COUNTERS; k++) sum->value[k] += tally->lines.items[i].counters.value[k];
  result->lines = tally->lines.items;
  result->line_count = tally->lines.count;
  result->traffic = tally->traffic.items;
  result->traffic_count = tally->traffic.count;
  *tally = (struct tally){0};
  return true;
}

void tally_release(struct tally *tally) {
  free(tally->lines.items);
  free(tally->traffic.items);
}
