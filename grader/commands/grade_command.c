/* grade_command.c: ./grade LAB, and ./grade LAB --dims. */
#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"
#include "grader/base/output.h"
#include "grader/base/system.h"
#include "grader/commands/commands.h"
#include "grader/commands/subject.h"
#include "grader/grading/reference.h"
#include "grader/sandbox/process.h"
#include "grader/show/card.h"
#include "grader/show/html.h"
#include "grader/show/json.h"
#include "grader/show/picture.h"
#include "grader/show/resources.h"
#include "grader/show/roofline.h"
#include "grader/show/show.h"
#include "grader/show/timeline_chart.h"
#include "grader/show/timeline_picture.h"

struct timelines {
  struct chart_showing showing;
  const struct grade *grade;
  json_t *all; /* the trace of those shown so far */
  int shown;
};

/* Of a case, as it was measured or modelled. */
static void show_timeline(struct timelines *timelines, int index, const struct spans *spans,
                          const json_t *trace, bool measured) {
  const struct grade *grade = timelines->grade;
  const struct conf *conf = &grade->lab->conf;
  const char *name = conf->cases[index].name, *device = grade->cases[index].report.device;
  autofree char *title = xprintf("%s: %s in case %s", grade->lab->id,
                                 conf_function(conf, &conf->cases[index]), name),
                *how = measured ? xprintf("measured on %s", grade->device) : xstrdup("modelled"),
                *source = measured ? xprintf("%s, measured by CUPTI", grade->device)
                                   : xprintf("%s, modelled time", device),
                *file =
                    xprintf("%s-timeline-%s%s", grade->lab->id, name, measured ? "-measured" : ""),
                *process = xprintf("%s%s", name, measured ? ", measured" : "");
  const struct screen *screen = timelines->showing.screen;
  screen_newline(screen);
  screen_print(screen, BOLD, "%s", title);
  timeline_chart(screen, spans, how);
  timeline_picture(spans, title, source, file, chart_show, &timelines->showing);
  trace_join(timelines->all, trace, process, timelines->shown++);
}

/* The shown cases' timelines, measured ones before the modelled; of a grading of some cases,
 * theirs. */
static void show_timelines(const struct kit *kit, const struct request *request,
                           const struct grade *grade, const struct screen *screen) {
  const struct conf *conf = &grade->lab->conf;
  json_auto_t *all = json_pack("{s:s, s:[]}", "displayTimeUnit", "ns", "traceEvents");
  struct timelines timelines = {{kit, request->plot, screen}, grade, all, 0};
  for (int i = 0; i < conf->case_count; i++) {
    const struct case_result *result = &grade->cases[i];
    if (!(result->spans.end > result->spans.begin)) continue;
    if (!conf->cases[i].show && !request->case_count) continue;
    if (result->measured_trace)
      show_timeline(&timelines, i, &result->measured, result->measured_trace, true);
    else if (result->not_recorded)
      note("case %s: no measured timeline: %s", conf->cases[i].name, result->not_recorded);
    show_timeline(&timelines, i, &result->spans, result->report.sets[0].timeline, false);
  }
  if (!timelines.shown) note("no case has a timeline that could be shown: name one with --case");
  autofree char *text = timelines.shown && request->trace ? json_dumps(all, JSON_COMPACT) : NULL;
  if (text) output_write("--timeline", request->trace, text, strlen(text));
}

/* A chart on the terminal and, if that is asked for, in a file of its own. */
struct roofline_showing {
  struct chart_showing showing;
  const char *path;
};

static void roofline_show(const struct chart *chart, const char *name, void *context) {
  struct roofline_showing *to = context;
  chart_show(chart, name, &to->showing);
  if (!to->path) return;
  enum chart_format format = CHART_SVG;
  chart_format_of(to->path, &format);
  freed_by(text_free) struct text picture = {0};
  autofree char *error = chart_draw(to->showing.kit, chart, format, &picture);
  if (error)
    note("grade: %s", error);
  else
    output_write("--roofline", to->path, picture.data, picture.length);
}

static void show_resources(const struct screen *screen, const struct grade *grade) {
  freed_by(resources_free) struct resources resources;
  resources_of_grade(grade, &resources);
  resources_print(screen, &resources, &grade->registers);
}

static void show_roofline(const struct kit *kit, const struct request *request,
                          const struct grade *grade, const struct screen *screen) {
  freed_by(roofline_free) struct roofline roofline;
  roofline_of_grade(grade, &roofline);
  roofline_print(screen, &roofline, grade->device);
  autofree char *title = xprintf("%s: kernels under the roofs of the GPU", grade->lab->id),
                *name = xprintf("%s-roofline", grade->lab->id);
  struct roofline_showing showing = {{kit, true, screen}, request->roofline_file};
  roofline_chart(&roofline, title, grade->device, name, roofline_show, &showing);
}

int grade_lab(const struct kit *kit, const struct request *request) {
  double start = clock_seconds();
  struct profile profile = {0};
  profile_add(&profile, -1, PHASE_START, seconds_since(seconds_at_start()));
  struct subject subject;
  subject_open(kit, request, &subject);
  if (request->keep) folder_make(request->keep);
  struct grade grade = {.lab = &subject.lab,
                        .source = &subject.source,
                        .backend = request->backend,
                        .seed = subject.seed,
                        .has_resources = request->resources,
                        .has_roofline = request->roofline,
                        .profile = request->profile ? &profile : NULL};
  autofree char *nvcc = request->picked ? NULL : program_find("nvcc");
  if (nvcc && strcmp(request->backend, "sim") == 0)
    note("nvcc is installed, but there is no GPU: graded on the simulator.");
  struct seconds begin = seconds_now();
  const char *work = grading_open(kit, request->unsafe);
  profile_add(&profile, -1, PHASE_SANDBOX, seconds_since(begin));
  grading_run(kit,
              &(struct grading_options){.work = work,
                                        .keep = request->keep,
                                        .solution = request->solution,
                                        .accesses = request->picture || request->html,
                                        .timeline = request->timeline || request->html,
                                        .cases = request->cases,
                                        .case_count = request->case_count},
              &grade);
  if (request->resources && !grade.error)
    registers_list(kit, &subject.lab, subject.source.path, subject.source.own_folder, work,
                   &grade.registers);
  grading_close();

  if (request->json) json_write_grade(&grade, request->json);
  if (request->html) html_write(kit, &grade, request->html);
  if (request->gradescope) gradescope_write(&grade, clock_seconds() - start, request->gradescope);
  if (grade.error) {
    print_our_fault(grade.error);
  } else if (request_may_print(request)) {
    struct screen screen;
    screen_open(&screen, stdout);
    card_print(
        &screen, &grade,
        &(struct card_options){request->explain, request->solution, request->case_count > 0});
    if (request->picture) {
      struct picture_subject of = picture_subject_of(&grade);
      picture_show(kit, &of, request->picture_line, request->plot, &screen);
      free(of.launches);
    }
    if (request->resources) show_resources(&screen, &grade);
    if (request->roofline) show_roofline(kit, request, &grade, &screen);
    if (request->timeline && grade.cases) show_timelines(kit, request, &grade, &screen);
  }
  if (request->profile) {
    struct screen screen;
    screen_open(&screen, request_may_print(request) ? stdout : stderr);
    profile_print(&screen, &profile);
  }
  if (request->measure && !grade.error) {
    if (strcmp(grade.verdict, "pass") != 0)
      die("%s: the solution does not get full marks, so it cannot serve as a reference",
          subject.lab.id);
    shipped_write(kit, &grade, request->measure);
  }
  int status = grade.error ? 2 : strcmp(grade.verdict, "pass") == 0 ? 0 : 1;
  grade_free(&grade);
  profile_free(&profile);
  subject_close(&subject);
  return status;
}

int run_once(const struct kit *kit, const struct request *request) {
  struct subject subject;
  struct case_conf entry;
  subject_open(kit, request, &subject);
  struct conf whole = subject.lab.conf;
  subject.lab.conf =
      once_conf(&whole, request->dims, request->case_count ? request->cases[0] : NULL, &entry);
  bool on_host = conf_family(&whole, &entry)->problem->on_host;
  struct grade grade = {
      .lab = &subject.lab, .source = &subject.source, .backend = "sim", .seed = subject.seed};
  if (request->keep) folder_make(request->keep);
  grading_run(kit,
              &(struct grading_options){.work = grading_open(kit, request->unsafe),
                                        .keep = request->keep,
                                        .solution = request->solution,
                                        .timeline = on_host}, /* which its time comes from */
              &grade);
  grading_close();
  int status = 2;
  if (grade.error) {
    print_our_fault(grade.error);
  } else {
    struct screen screen;
    screen_open(&screen, stdout);
    status = once_print(&screen, &grade);
  }
  grade_free(&grade);
  free(entry.name);
  subject.lab.conf = whole;
  subject_close(&subject);
  return status;
}
