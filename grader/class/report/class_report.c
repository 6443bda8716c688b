/* class_report.c: reads the labs' figures, draws charts, writes the pages. */
#include "grader/class/report/class_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/sandbox/process.h"

/* --- reading --- */

static void read_lab(struct class *class, const char *id, struct class_lab *lab) {
  bool known = class_has_lab(class, id);
  struct lab of_kit;
  if (known) lab_open(&class->kit, id, &of_kit);
  summary_read(class->book, id, known ? &of_kit.conf : NULL, &lab->summary);
  needs_find(class->book, &lab->summary, &lab->needs);
  report_charts_make(&lab->summary, class->options->names, &lab->charts);
  if (known) lab_free(&of_kit);
}

struct class_lab *class_labs_read(struct class *class, int *count) {
  pseudonym_assign(class->book);
  autofree char **ids = summary_labs(class->book, count);
  struct class_lab *labs = xcalloc((size_t)*count, sizeof *labs);
  for (int i = 0; i < *count; i++) {
    labs[i].chosen = !class->options->lab || strcmp(ids[i], class->options->lab) == 0;
    read_lab(class, ids[i], &labs[i]);
    free(ids[i]);
  }
  return labs;
}

void class_labs_free(struct class_lab *labs, int count) {
  for (int i = 0; i < count; i++) {
    summary_free(&labs[i].summary);
    needs_free(&labs[i].needs);
    report_charts_free(&labs[i].charts);
  }
  free(labs);
}

/* --- files --- */

static void write_page(const struct class *class, const char *name, struct text *page) {
  autofree char *path = class_path(class, "report/%s", name);
  file_write(path, text_get(page), page->length);
  text_free(page);
}

static void remove_file(const struct class *class, const char *name) {
  autofree char *path = class_path(class, "report/%s", name);
  if (unlink(path) != 0 && errno != ENOENT) die("%s: %s", path, strerror(errno));
}

/* Charts of an earlier report that this one does not have. */
static void remove_others(const struct class *class, const struct class_lab *lab) {
  static const char *const ids[] = {"scores",  "items",    "hazards",   "speed",
                                    "ceiling", "traffic",  "traffic-2", "traffic-3",
                                    "blocks",  "progress", "leaders"};
  static const char *const formats[] = {"tsv", "svg", "png"};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    const struct report_chart *chart = report_charts_find(&lab->charts, ids[i]);
    for (int f = 0; f < 3; f++) {
      bool written = chart && (f == 0 || chart->svg.length > 0);
      if (written) continue;
      autofree char *name = xprintf("%s-%s.%s", lab->summary.lab, ids[i], formats[f]);
      remove_file(class, name);
    }
  }
}

static void publish(const struct class *class, const struct class_lab *lab, const char *id,
                    const char *format, const struct text *content) {
  autofree char *path = class_path(class, "report/%s-%s.%s", lab->summary.lab, id, format);
  file_write(path, text_get(content), content->length);
}

/* Tables need no gnuplot. */
static void publish_tables(const struct class *class, const struct class_lab *lab) {
  for (int i = 0; i < lab->charts.count; i++)
    publish(class, lab, lab->charts.items[i].id, "tsv", &lab->charts.items[i].data);
}

/* Draws what can be drawn. Returns NULL, or why something is missing. */
static char *draw(const struct class *class, struct class_lab *lab) {
  char *problem = NULL;
  for (int i = 0; i < lab->charts.count; i++) {
    struct report_chart *from = &lab->charts.items[i];
    struct chart chart = report_chart_for(from);
    freed_by(text_free) struct text png = {0};
    char *error = chart_draw(&class->kit, &chart, CHART_SVG, &from->svg);
    if (!error) error = chart_draw(&class->kit, &chart, CHART_PNG, &png);
    if (error) {
      text_free(&from->svg);
    } else {
      publish(class, lab, from->id, "svg", &from->svg);
      publish(class, lab, from->id, "png", &png);
    }
    if (problem)
      free(error);
    else
      problem = error;
  }
  return problem;
}

void class_report_write(const struct class *class, struct class_lab *labs, int count) {
  autofree char *folder = class_path(class, "report");
  folder_make(folder);
  autofree char *gnuplot = program_find("gnuplot");
  const char *problem =
      gnuplot ? NULL : "they need gnuplot, which is not installed; ./setup installs it";
  for (int i = 0; i < count; i++) {
    if (!labs[i].chosen) continue;
    publish_tables(class, &labs[i]);
    autofree char *failed = problem ? xstrdup(problem) : draw(class, &labs[i]);
    remove_others(class, &labs[i]);
    struct text page = report_page(&labs[i], class->options->names, failed, count > 1);
    autofree char *name = xprintf("%s.html", labs[i].summary.lab);
    write_page(class, name, &page);
    if (failed && !problem)
      class_note(class, "note: %s: charts are missing: %s", labs[i].summary.lab, failed);
  }
  if (problem) class_note(class, "note: the pages have no charts: %s", problem);
  struct text help = report_help_page(labs, count);
  write_page(class, "help.html", &help);
  if (count != 1) {
    struct text index = report_index_page(labs, count);
    write_page(class, "index.html", &index);
  } else {
    remove_file(class, "index.html");
  }
}

void class_report(struct class *class) {
  int count;
  struct class_lab *labs = class_labs_read(class, &count);
  class_report_write(class, labs, count);
  summary_print(class, labs, count);
  class_labs_free(labs, count);
}
