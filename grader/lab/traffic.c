/* traffic.c: sorts loads or stores by how much they waste, and adds up the worst half. */
#include "grader/lab/traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

static int worst_first(const void *a, const void *b) {
  const struct traffic_record *x = *(const struct traffic_record *const *)a,
                              *y = *(const struct traffic_record *const *)b;
  double p = (double)x->sectors * (double)y->bytes, q = (double)y->sectors * (double)x->bytes;
  if (p > q || p < q) return p > q ? -1 : 1;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return strcmp(x->array, y->array);
}

static double value_of(const struct totals *totals, bool stores,
                       const struct traffic_record **worst) {
  autofree const struct traffic_record **order =
      xcalloc((size_t)totals->traffic_count + 1, sizeof(struct traffic_record *));
  double sectors = 0, bytes = 0, all = 0, max = 0;
  int count = 0;
  for (int i = 0; i < totals->traffic_count; i++) {
    const struct traffic_record *traffic = &totals->traffic[i];
    if (traffic->store != stores || !traffic->bytes) continue;
    order[count++] = traffic;
    all += (double)traffic->sectors;
  }
  qsort(order, (size_t)count, sizeof *order, worst_first);
  double enough = (stores ? totals->textbook_store_bytes : totals->textbook_load_bytes) / 2;
  if (!(enough > 0)) enough = (double)INFINITY;
  for (int i = 0; i < count && sectors < all / 2 && bytes < enough; i++) {
    double own_sectors = (double)order[i]->sectors, own_bytes = (double)order[i]->bytes, part = 1;
    part = fmin(part, (all / 2 - sectors) / own_sectors);
    part = fmin(part, (enough - bytes) / own_bytes);
    sectors += part * own_sectors;
    bytes += part * own_bytes;
    if (part * own_sectors > max) {
      max = part * own_sectors;
      *worst = order[i];
    }
  }
  return bytes > 0 ? 128 * sectors / bytes : (double)NAN;
}

double traffic_value(const struct totals *totals, bool loads, bool stores,
                     const struct traffic_record **worst) {
  const struct traffic_record *of_loads = NULL, *of_stores = NULL;
  double load = loads ? value_of(totals, false, &of_loads) : (double)NAN,
         store = stores ? value_of(totals, true, &of_stores) : (double)NAN;
  bool is_store = isnan(load) || store > load;
  if (worst) *worst = is_store ? of_stores : of_loads;
  return is_store ? store : load;
}
