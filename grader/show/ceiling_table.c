/* ceiling_table.c: measures or describes ceilings, and lists them. JSON:
 *
 *   {"schema":1, "backend":"gpu", "device":"...",
 *    "ceilings":[{"problem":"transpose", "name":"a float4 copy",
 *                 "dims":{"ROWS":1024, "COLS":1024} (absent where described),
 *                 "unit":"bytes/ns", "per_ns":2710.0}]} */
#include "grader/show/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/screen.h"
#include "grader/base/text.h"
#include "grader/run/ceiling.h"
#include "grader/sandbox/process.h"
#include "grader/show/json.h"

enum { MAX_SIZES = 64 };

/* A problem family and dimensions that ceilings are measured at. */
struct size {
  const struct family *family;
  long dims[PROBLEM_MAX_DIMS];
};

struct table {
  const struct kit *kit;
  struct screen *screen; /* NULL: quiet */
  json_t *list;
  char *device;
  struct size sizes[MAX_SIZES];
  int count;
  int status;
};

static void add_size(struct table *table, const struct family *family, const long *dims) {
  for (int i = 0; i < table->count; i++)
    if (table->sizes[i].family == family &&
        memcmp(table->sizes[i].dims, dims, sizeof table->sizes[i].dims) == 0)
      return;
  if (table->count == MAX_SIZES) return;
  struct size *size = &table->sizes[table->count++];
  size->family = family;
  memcpy(size->dims, dims, sizeof size->dims);
}

/* Of each problem the lab's largest, and one that is large anyway; those that performance items
 * look at. */
static void add_lab(struct table *table, const struct conf *conf) {
  for (int i = 0; i < conf->case_count; i++) {
    const struct case_conf *entry = &conf->cases[i];
    const struct family *family = conf_family(conf, entry);
    bool largest = true;
    for (int j = 0; j < conf->case_count; j++)
      largest =
          largest && (conf_family(conf, &conf->cases[j]) != family ||
                      family_work(family, conf->cases[j].dims) <= family_work(family, entry->dims));
    if (largest) add_size(table, family, entry->dims);
    if (largest) add_size(table, family, family->large);
  }
  for (int i = 0; i < conf->item_count; i++) {
    if (conf->items[i].class != ITEM_PERFORMANCE) continue;
    const struct case_conf *entry = &conf->cases[conf_case(conf, conf->items[i].case_name)];
    add_size(table, conf_family(conf, entry), entry->dims);
  }
}

/* By problem, then by work. */
static int in_order(const void *a, const void *b) {
  const struct size *x = a, *y = b;
  int names = strcmp(x->family->problem->name, y->family->problem->name);
  double first = family_work(x->family, x->dims), second = family_work(y->family, y->dims);
  return names ? names : (first > second) - (first < second);
}

static void add_row(struct table *table, const struct family *family, const long *dims,
                    const struct ceiling *ceiling) {
  const struct problem *problem = family->problem;
  enum ceiling_kind kind = family->ceiling;
  freed_by(text_free) struct text size = {0};
  json_t *row =
      json_pack("{s:s, s:s, s:s, s:f}", "problem", problem->name, "name", ceiling->name, "unit",
                kind == CEILING_BYTES ? "bytes/ns" : "operations/ns", "per_ns", ceiling->per_ns);
  for (int i = 0; dims && i < problem->dim_count; i++)
    text_add(&size, "%s%ld", i ? " x " : "", dims[i]);
  if (dims) json_object_set_new(row, "dims", dims_to_json(problem, dims));
  json_array_append_new(table->list, row);
  if (table->screen)
    screen_line(table->screen, PLAIN, "  %-10s %-20s %-22s %10.4g %s", problem->name,
                text_get(&size), ceiling->name, ceiling_in_unit(kind, ceiling->per_ns),
                ceiling_unit(kind));
}

static void take_device(struct table *table, const char *device) {
  if (table->device) return;
  table->device = xstrdup(device);
  if (!table->screen) return;
  screen_line(table->screen, BOLD, "%s", device);
}

static void measure_all(struct table *table) {
  for (int i = 0; i < table->count; i++) {
    const struct size *size = &table->sizes[i];
    for (int way = 0; size->family->ceilings[way].entry; way++) {
      struct ceiling ceiling;
      char *why = NULL;
      progress_show("measuring", size->family->ceilings[way].name, i + 1, table->count);
      bool good = ceiling_measure(table->kit, size->family, way, size->dims, NULL, &ceiling, &why);
      progress_show(NULL, NULL, 0, 0);
      if (good) {
        take_device(table, ceiling.device);
        add_row(table, size->family, size->dims, &ceiling);
        free(ceiling.device);
      } else {
        note("grade: no ceiling of %s: %s", size->family->problem->name, why);
        table->status = 2;
        free(why);
        while (i + 1 < table->count && table->sizes[i + 1].family == size->family) i++;
        break;
      }
    }
  }
}

static void describe_all(struct table *table) {
  autofree char *words = ceiling_described_device();
  take_device(table, words);
  for (int i = 0; i < table->count; i++) {
    struct ceiling ceiling;
    char *why = NULL;
    if (i > 0 && table->sizes[i].family == table->sizes[i - 1].family) continue;
    if (!ceiling_described(table->sizes[i].family->ceiling, &ceiling, &why)) die("%s", why);
    add_row(table, table->sizes[i].family, NULL, &ceiling);
  }
}

int ceiling_show(const struct kit *kit, const char *backend, const char *json, bool quiet) {
  struct screen screen;
  struct table table = {.kit = kit, .list = json_array()};
  screen_open(&screen, stdout);
  if (!quiet) table.screen = &screen;
  char **ids = lab_ids(kit, NULL);
  for (char **id = ids; *id; id++) {
    struct lab lab;
    lab_open(kit, *id, &lab);
    add_lab(&table, &lab.conf);
    lab_free(&lab);
  }
  lab_free_ids(ids);
  qsort(table.sizes, (size_t)table.count, sizeof *table.sizes, in_order);
  process_hold_signals();
  if (strcmp(backend, "gpu") == 0)
    measure_all(&table);
  else
    describe_all(&table);
  process_release_signals();
  if (json)
    json_write(json_pack("{s:i, s:s, s:s?, s:O}", "schema", 1, "backend", backend, "device",
                         table.device, "ceilings", table.list),
               json, 0);
  json_decref(table.list);
  free(table.device);
  return table.status;
}
