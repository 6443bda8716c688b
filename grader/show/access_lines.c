/* access_lines.c: see access_lines.h. */
#include "grader/show/access_lines.h"

#include <stdlib.h>

static double over(const struct counters *c, enum counter spent, enum counter ideal) {
  return (double)c->value[spent] - (double)c->value[ideal];
}

/* Sectors that are moved for less than 32 bytes each; a request moves at least one. */
static double wasted_sectors(const struct counters *c, enum counter sectors, enum counter requests,
                             enum counter used) {
  double least = (double)c->value[used] / 32, count = (double)c->value[requests];
  return (double)c->value[sectors] - (least > count ? least : count);
}

static void add_cost(struct access_line *cost, const struct counters *c) {
  cost->wasted = over(c, COUNTER_shared_load_wavefronts, COUNTER_shared_load_ideal) +
                 over(c, COUNTER_shared_store_wavefronts, COUNTER_shared_store_ideal) +
                 wasted_sectors(c, COUNTER_global_load_sectors, COUNTER_global_load_requests,
                                COUNTER_global_load_used_bytes) +
                 wasted_sectors(c, COUNTER_global_store_sectors, COUNTER_global_store_requests,
                                COUNTER_global_store_used_bytes);
  cost->spent = (double)c->value[COUNTER_shared_load_wavefronts] +
                (double)c->value[COUNTER_shared_store_wavefronts] +
                (double)c->value[COUNTER_global_load_sectors] +
                (double)c->value[COUNTER_global_store_sectors];
}

static int by_cost(const void *a, const void *b) {
  const struct access_line *x = a, *y = b;
  if (x->wasted != y->wasted) return x->wasted < y->wasted ? 1 : -1;
  if (x->spent != y->spent) return x->spent < y->spent ? 1 : -1;
  return x->line - y->line;
}

static bool has_accesses(const struct launch_record *launch, int line) {
  for (int i = 0; i < launch->access_count; i++) {
    if (launch->accesses[i].line == line) return true;
  }
  return false;
}

int access_lines(const struct grade *grade, struct access_line **costs) {
  const struct conf *conf = &grade->lab->conf;
  int count = 0;
  *costs = NULL;
  for (int i = 0; i < conf->case_count; i++) {
    const struct report *report = &grade->cases[i].report;
    for (int l = 0; l < report->launch_count; l++) {
      const struct launch_record *launch = &report->launches[l];
      for (int k = 0; launch->set == 0 && k < launch->line_count; k++) {
        struct access_line cost = {
            .line = launch->lines[k].line, .launch = launch, .case_name = conf->cases[i].name};
        if (cost.line <= 0 || !has_accesses(launch, cost.line)) continue;
        add_cost(&cost, &launch->lines[k].counters);
        int at = 0;
        while (at < count && (*costs)[at].line != cost.line) at++;
        if (at == count) {
          *array_add(*costs, count) = cost;
        } else if (by_cost(&cost, &(*costs)[at]) < 0) {
          (*costs)[at] = cost;
        }
      }
    }
  }
  if (count > 0) qsort(*costs, (size_t)count, sizeof **costs, by_cost);
  return count;
}
