/* roofline.c: see roofline.h. */
#include "grader/show/roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/show/resources.h"

/* ---- roofs: operations or bytes a ns ---- */

static double l2_per_ns(const struct gpu *gpu) { return 32 * gpu->model.l2_sectors_per_ns; }

/* A line of 128 bytes in so many cycles of each SM. */
static double l1_per_ns(const struct gpu *gpu) {
  return gpu->info.sm_count * 128 / gpu->model.l1_line_cycles * gpu->info.clock_khz * 1e-6;
}

double roofline_limit(const struct gpu *gpu, const struct roofline_point *point) {
  if (point->flops <= 0) return gpu_bytes_per_ns(gpu);
  if (point->dram_bytes <= 0) return gpu_fp32_per_ns(gpu);
  return fmin(gpu_fp32_per_ns(gpu), point->flops / point->dram_bytes * gpu_bytes_per_ns(gpu));
}

double roofline_percent(const struct gpu *gpu, const struct roofline_point *point) {
  double done = point->flops > 0 ? point->flops : point->dram_bytes;
  return 100 * done / point->time_ns / roofline_limit(gpu, point);
}

/* ---- points ---- */

void roofline_open(struct roofline *roofline) {
  *roofline = (struct roofline){.count = 0};
  resources_read_gpu(&roofline->gpu);
}

static double value_of(const struct launch_record *launch, enum counter counter) {
  return (double)launch->counters.value[counter];
}

static void add_launch(struct roofline_point *point, const struct launch_record *launch) {
  enum { SECTOR = 32 };
  double others = value_of(launch, COUNTER_global_store_sectors) +
                  value_of(launch, COUNTER_global_atomic_sectors);
  point->flops += value_of(launch, COUNTER_fp32_ops);
  point->fp64_ops += value_of(launch, COUNTER_fp64_ops);
  point->dram_bytes += (double)launch->dram_bytes;
  point->l2_bytes += SECTOR * (value_of(launch, COUNTER_l2_load_sectors) + others);
  point->l1_bytes += SECTOR * (value_of(launch, COUNTER_global_load_sectors) + others);
  point->time_ns += (double)launch->time_ns;
  point->over_link |=
      strcmp(launch->bound, "host link") == 0 || strcmp(launch->bound, "page migration") == 0;
}

void roofline_add_case(struct roofline *roofline, const char *prefix, const char *case_name,
                       const struct report *report, double measured_ns) {
  int first = roofline->count;
  for (int l = 0; l < report->launch_count; l++) {
    const struct launch_record *launch = &report->launches[l];
    if (launch->set != 0 || !launch->time_kind || launch->time_ns == 0) continue;
    autofree char *name = xprintf("%s%s %s", prefix, case_name, launch->kernel);
    int i = first;
    while (i < roofline->count && strcmp(roofline->items[i].name, name) != 0) i++;
    if (i == roofline->count) array_add(roofline->items, roofline->count)->name = xstrdup(name);
    add_launch(&roofline->items[i], launch);
  }
  if (roofline->count != first + 1 || !(measured_ns > 0)) return;
  struct roofline_point measured = roofline->items[first];
  measured.name = xstrdup(measured.name);
  measured.time_ns = measured_ns;
  measured.measured = true;
  *array_add(roofline->items, roofline->count) = measured;
}

static double measured_time(const struct grade *grade, int index) {
  const struct timing *timing = grade->timings ? &grade->timings[index] : NULL;
  const struct timed *timed = timing && timing->measured ? timing_of(timing, "submission") : NULL;
  return timed ? timed->ns.median : 0;
}

void roofline_of_grade(const struct grade *grade, struct roofline *roofline) {
  const struct conf *conf = &grade->lab->conf;
  roofline_open(roofline);
  for (int i = 0; i < conf->case_count && grade->cases; i++)
    if ((conf->cases[i].show || grade->partial) && !hidden_keeps_quiet(grade, i))
      roofline_add_case(roofline, "", conf->cases[i].name, &grade->cases[i].report,
                        measured_time(grade, i));
}

void roofline_free(struct roofline *roofline) {
  for (int i = 0; i < roofline->count; i++) free(roofline->items[i].name);
  free(roofline->items);
  *roofline = (struct roofline){.count = 0};
}

/* ---- on the terminal ---- */

const char *roofline_kind(const struct roofline *roofline) {
  bool measured = false, modelled = false;
  for (int i = 0; i < roofline->count; i++)
    *(roofline->items[i].measured ? &measured : &modelled) = true;
  return measured && modelled ? "modelled and measured" : measured ? "measured" : "modelled";
}

/* Which roof is above it. */
static const char *roof_name(const struct gpu *gpu, const struct roofline_point *point) {
  return roofline_limit(gpu, point) < gpu_fp32_per_ns(gpu) || point->flops <= 0 ? "DRAM" : "fp32";
}

static void print_point(const struct screen *screen, const struct roofline *roofline, int i) {
  const struct roofline_point *point = &roofline->items[i];
  char intensity[32] = "-", rate[32];
  if (point->flops > 0 && point->dram_bytes > 0)
    snprintf(intensity, sizeof intensity, "%.3g", point->flops / point->dram_bytes);
  if (point->flops > 0)
    snprintf(rate, sizeof rate, "%.0f GFLOP/s", point->flops / point->time_ns);
  else
    snprintf(rate, sizeof rate, "%.0f GB/s", point->dram_bytes / point->time_ns);
  screen_line(screen, PLAIN, "%2d %-32.32s %8s %14s %5.1f%% of %s%s", i + 1, point->name, intensity,
              rate, roofline_percent(&roofline->gpu, point), roof_name(&roofline->gpu, point),
              point->measured ? ", measured" : "");
}

void roofline_print(const struct screen *screen, const struct roofline *roofline,
                    const char *device) {
  const struct gpu *gpu = &roofline->gpu;
  bool over_link = false, fp64 = false;
  screen_newline(screen);
  if (!roofline->count) {
    screen_line(screen, BOLD, "Roofline: no kernel has a time");
    return;
  }
  screen_line(screen, BOLD, "   %-32s %8s %14s %6s of its roof", "Roofline", "FLOP/B", "reached",
              "");
  for (int i = 0; i < roofline->count; i++) {
    print_point(screen, roofline, i);
    over_link |= roofline->items[i].over_link;
    fp64 |= roofline->items[i].fp64_ops > 0;
  }
  autofree char *words = xprintf(
      "%s, %s time. Roofs: fp32 %.0f GFLOP/s, DRAM %.0f GB/s; a byte counts if it has to come from "
      "DRAM or go there, once L2 is empty. Over 100%%: L2 has kept it from the launch before.",
      device, roofline_kind(roofline), gpu_fp32_per_ns(gpu), gpu_bytes_per_ns(gpu));
  screen_wrap(screen, DIM, 0, "", words);
  if (over_link)
    screen_wrap(
        screen, DIM, 0, "",
        "A kernel with data in the host's memory waits for the link, not for DRAM: it is not "
        "drawn.");
  if (fp64) screen_wrap(screen, DIM, 0, "", "Operations of fp64 are not counted here.");
}

/* ---- for programs and for charts ---- */

json_t *roofline_to_json(const struct roofline *roofline) {
  const struct gpu *gpu = &roofline->gpu;
  json_t *points = json_array();
  for (int i = 0; i < roofline->count; i++) {
    const struct roofline_point *p = &roofline->items[i];
    bool has_intensity = p->flops > 0 && p->dram_bytes > 0;
    json_array_append_new(
        points, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:o?, s:f, s:f, s:f}", "name",
                          p->name, "time_kind", p->measured ? "measured" : "modelled", "time_ns",
                          p->time_ns, "fp32_ops", p->flops, "dram_bytes", p->dram_bytes, "l2_bytes",
                          p->l2_bytes, "l1_bytes", p->l1_bytes, "intensity",
                          has_intensity ? json_real(p->flops / p->dram_bytes) : NULL, "gflops",
                          p->flops / p->time_ns, "gb_per_s", p->dram_bytes / p->time_ns,
                          "percent_of_roof", roofline_percent(gpu, p)));
  }
  return json_pack("{s:{s:f, s:f, s:f, s:f}, s:o}", "roofs", "fp32_gflops", gpu_fp32_per_ns(gpu),
                   "dram_gb_per_s", gpu_bytes_per_ns(gpu), "l2_gb_per_s", l2_per_ns(gpu),
                   "l1_gb_per_s", l1_per_ns(gpu), "points", points);
}

void roofline_chart_table(const struct roofline *roofline, struct text *table) {
  const struct gpu *gpu = &roofline->gpu;
  text_add(table, "fp32\t%.6g\nDRAM\t%.6g\nL2\t%.6g\nL1\t%.6g\n\n\n", gpu_fp32_per_ns(gpu),
           gpu_bytes_per_ns(gpu), l2_per_ns(gpu), l1_per_ns(gpu));
  for (int i = 0; i < roofline->count; i++) {
    const struct roofline_point *p = &roofline->items[i];
    if (p->over_link) continue;
    text_add(table, "%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%d\n", p->name, p->flops, p->dram_bytes,
             p->l2_bytes, p->l1_bytes, p->time_ns, p->measured);
  }
}

void roofline_chart(const struct roofline *roofline, const char *title, const char *device,
                    const char *name, chart_taker *take, void *context) {
  freed_by(text_free) struct text table = {0};
  roofline_chart_table(roofline, &table);
  bool any = false;
  for (int i = 0; i < roofline->count; i++) any |= !roofline->items[i].over_link;
  if (!any) return;
  autofree char *source = xprintf("%s, %s time", device, roofline_kind(roofline));
  struct chart chart = {
      .name = "roofline", .data = text_get(&table), .title = title, .source = source};
  take(&chart, name, context);
}
