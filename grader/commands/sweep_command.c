/* sweep_command.c: ./grade LAB --sweep. */
#include "grader/base/file.h"
#include "grader/commands/commands.h"
#include "grader/commands/measured.h"
#include "grader/show/json.h"
#include "grader/show/show.h"

/* A file that cannot take part in a sweep, and what to write so that it can. */
static void print_refused(const struct subject *subject, const struct sweep *sweep) {
  char *const *names = subject->lab.conf.sweep.parameters;
  note("%s: %s", subject->source.name, sweep->error);
  if (sweep->own.state != SHAPE_RIGHT || !sweep->own.bound) {
    note("Grade it first: ./grade %s", subject->lab.id);
    return;
  }
  note("A sweep sets %s and %s from outside. So that they can be set, write", names[0], names[1]);
  for (int i = 0; i < SWEEP_PARAMETERS; i++)
    note("    #ifndef %s\n    #define %s %lu\n    #endif", names[i], names[i],
         sweep->own.launched[i]);
  note("and use them for the block, the grid and the kernel's indices.");
}

/* {"schema":1, "lab", "backend", "seed"}, all of sweep_to_json's, and "series":[series_to_json's]:
 * what there is of them. */
static void write_swept(const struct subject *subject, const struct swept *swept,
                        const char *path) {
  const struct conf *conf = &subject->lab.conf;
  json_t *json = json_pack("{s:i, s:s, s:s, s:I}", "schema", 1, "lab", subject->lab.id, "backend",
                           "sim", "seed", (json_int_t)subject->seed);
  if (conf->sweep.line) json_object_update_new(json, sweep_to_json(&swept->sweep));
  if (conf->series_count) json_object_set_new(json, "series", json_array());
  for (int i = 0; i < swept->series.count; i++)
    json_array_append_new(json_object_get(json, "series"), series_to_json(&swept->series.items[i]));
  json_write(json, path, JSON_REAL_PRECISION(6));
}

static void print_swept(const struct kit *kit, const struct request *request,
                        const struct conf *conf, const struct swept *swept) {
  struct screen screen;
  screen_open(&screen, stdout);
  struct chart_showing showing = {kit, request->plot, &screen};
  if (conf->sweep.line) {
    sweep_print(&screen, &swept->sweep, request->explain);
    sweep_charts(&swept->sweep, chart_show, &showing);
  }
  for (int i = 0; i < swept->series.count; i++) {
    series_print(&screen, &swept->series.items[i]);
    series_charts(&swept->series.items[i], chart_show, &showing);
  }
}

const char *swept_measure(const struct kit *kit, const struct subject *subject, const char *work,
                          struct swept *swept) {
  const struct lab *lab = &subject->lab;
  if (lab->conf.sweep.line)
    sweep_measure(kit, lab, &subject->source, subject->seed, work, &swept->sweep);
  if (lab->conf.series_count && !swept->sweep.error)
    series_measure(kit, lab, &subject->source, subject->seed, work, &swept->series);
  return swept->sweep.error ? swept->sweep.error : swept->series.error;
}

void swept_free(struct swept *swept) {
  sweep_free(&swept->sweep);
  series_free(&swept->series);
}

int sweep_lab(const struct kit *kit, const struct request *request) {
  struct subject subject;
  subject_open(kit, request, &subject);
  const struct lab *lab = &subject.lab;
  if (!lab->conf.sweep.line && !lab->conf.series_count)
    die("%s has no [sweep] and no [series] in its lab.conf: there is nothing to compare", lab->id);
  struct swept swept = {.sweep = {0}};
  struct sweep *sweep = &swept.sweep;
  struct series_list *series = &swept.series;
  swept_measure(kit, &subject, grading_open(kit, request->unsafe), &swept);
  grading_close();
  bool refused = sweep->refused || series->refused, failed = sweep->error || series->error;
  if (sweep->refused) {
    print_refused(&subject, sweep);
  } else if (series->refused) {
    print_refusal(&subject, series->error);
  } else if (failed) {
    print_our_fault(sweep->error ? sweep->error : series->error);
  } else {
    if (request->json) write_swept(&subject, &swept, request->json);
    if (request_may_print(request)) print_swept(kit, request, &lab->conf, &swept);
  }
  swept_free(&swept);
  subject_close(&subject);
  return !failed ? 0 : refused ? 1 : 2;
}
