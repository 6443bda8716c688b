/* handin.c: what the kit has to say in a report, block by block; see handin.h. */
#include "grader/handin/handin.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/version.h"
#include "grader/handin/blocks.h"
#include "grader/handin/computer.h"
#include "grader/lab/dims.h"
#include "grader/sandbox/process.h"
#include "grader/score/answers.h"
#include "grader/show/picture.h"
#include "grader/show/show.h"

/* A report under way: where its files go. */
struct writing {
  const struct handin *handin;
  struct text *block; /* that charts are added to */
  int charts;         /* drawn so far */
  char *error;        /* why one could not be drawn; the first */
};

/* --- Markdown --- */

/* Words in a cell of a table, or elsewhere: what they may hold by chance does not become markup. */
static void add_words(struct text *to, const char *words) {
  freed_by(text_free) struct text clean = {0};
  text_add_printable(&clean, words, strlen(words), true);
  for (const char *at = text_get(&clean); *at; at++)
    text_add(to, strchr("|*_<>[]`#\\$~^", *at) ? "\\%c" : "%c", *at);
}

static void add_row(struct text *to, const char *left, const char *right) {
  text_add(to, "| %s | ", left);
  add_words(to, right);
  text_add(to, " |\n");
}

/* --- charts --- */

/* A chart_taker: FOLDER/NAME.svg, and the picture in the block. */
static void take_chart(const struct chart *chart, const char *name, void *context) {
  struct writing *writing = context;
  freed_by(text_free) struct text svg = {0};
  char *error = chart_draw(writing->handin->kit, chart, CHART_SVG, &svg);
  if (error && !writing->error)
    writing->error = error;
  else
    free(error);
  if (error) return;
  autofree char *path = xprintf("%s/%s.svg", writing->handin->folder, name);
  file_write(path, svg.data, svg.length);
  writing->charts++;
  text_add(writing->block, "\n![");
  add_words(writing->block, chart->title);
  text_add(writing->block, "](%s.svg)\n", name);
}

/* --- the blocks --- */

static void add_machine(const struct handin *handin, struct text *to) {
  const struct grade *grade = handin->grade;
  bool measured = strcmp(grade->backend, "gpu") == 0;
  text_add(to, "| | |\n|---|---|\n");
  add_row(to, "GPU", grade->device ? grade->device : "not known");
  add_row(to, "Times",
          measured
              ? "measured between CUDA events"
              : "modelled from what was counted: the same each time, so there is no deviation");
  freed_by(computer_free) struct computer computer = computer_describe();
  add_row(to, "CPU", computer.cpu);
  add_row(to, "Operating system", computer.system);
  autofree char *kit = xprintf("CUDA lab kit %s, inputs of seed %lu", KIT_VERSION, grade->seed);
  add_row(to, "Kit", kit);
  autofree char *file = xprintf("%s, %d lines", grade->source->name, grade->source->line_count);
  add_row(to, "Program", file);
}

static void add_result(const struct handin *handin, struct text *to) {
  const struct grade *grade = handin->grade;
  const struct conf *conf = &grade->lab->conf;
  text_add(to, "**%ld of %ld points.**\n\n| item | points | |\n|---|---:|---|\n", grade->score,
           conf->max_points);
  for (int i = 0; i < conf->item_count && grade->items; i++) {
    const struct item_result *result = &grade->items[i];
    text_add(to, "| ");
    add_words(to, conf->items[i].title);
    text_add(to, " | %ld / %ld | ", result->points, conf->items[i].points);
    add_words(to, result->reason ? result->reason : "");
    text_add(to, " |\n");
  }
}

static void add_sizes(struct writing *writing) {
  const struct handin *handin = writing->handin;
  const struct sizes *sizes = handin->sizes;
  struct text *to = writing->block;
  if (!sizes) {
    text_add(to, "No times over the size: ");
    add_words(to, handin->no_sizes);
    text_add(to, "\n");
    return;
  }
  autofree char *dims = sizes_dims_words(&sizes->lab->conf, sizes->case_index);
  text_add(to, "Time of a call, %s%s", dims, sizes->on_gpu ? ": mean and standard deviation" : "");
  text_add(to, ".\n\n| |");
  for (int i = 0; i < sizes->count; i++) text_add(to, " n = %ld |", sizes->values[i]);
  text_add(to, "\n|---|");
  for (int i = 0; i < sizes->count; i++) text_add(to, "---:|");
  text_add(to, "\n");
  for (int l = 0; l < sizes->line_count; l++) {
    const struct size_line *line = &sizes->lines[l];
    text_add(to, "| ");
    add_words(to, line->name);
    text_add(to, " (%s) |", line->measured ? "measured" : "modelled");
    for (int i = 0; i < sizes->count; i++) {
      const struct size_point *point = &line->points[i];
      bool right = point->state == POINT_RIGHT;
      autofree char *time = right ? sizes_time_words(point->ns) : NULL;
      text_add(to, " %s", right ? time : point->state == POINT_WRONG ? "wrong" : "-");
      if (right && point->deviation_ns >= 0) {
        autofree char *deviation = sizes_time_words(point->deviation_ns);
        text_add(to, " ± %s", deviation);
      }
      text_add(to, " |");
    }
    text_add(to, "\n");
  }
  for (int i = 0; i < sizes->note_count; i++) {
    text_add(to, "\n");
    add_words(to, sizes->notes[i]);
    text_add(to, "\n");
  }
  autofree char *path = xprintf("%s/sizes.csv", handin->folder);
  sizes_write_csv(sizes, path);
  text_add(to, "\nThe same as a table for programs: [sizes.csv](sizes.csv).\n");
  sizes_charts(sizes, take_chart, writing);
}

/* What was counted in the shown cases, and where their accesses went. */
static void add_accesses(struct writing *writing) {
  static const struct {
    const char *label, *metric;
  } rows[] = {{"sectors per global load", "global_load_sectors_per_request"},
              {"sectors per global store", "global_store_sectors_per_request"},
              {"percent of the loaded bytes used", "global_load_efficiency"},
              {"wavefronts per shared load", "shared_load_wavefronts_per_inst"},
              {"wavefronts per shared store", "shared_store_wavefronts_per_inst"},
              {"active lanes of a warp", "active_lanes"}};
  const struct grade *grade = writing->handin->grade;
  const struct conf *conf = &grade->lab->conf;
  struct text *to = writing->block;
  text_add(to, "| per request |");
  for (int i = 0; i < conf->case_count; i++)
    if (conf->cases[i].show)
      text_add(to, " `%s` in case %s |", conf_function(conf, &conf->cases[i]), conf->cases[i].name);
  text_add(to, "\n|---|");
  for (int i = 0; i < conf->case_count; i++)
    if (conf->cases[i].show) text_add(to, "---:|");
  text_add(to, "\n");
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    text_add(to, "| %s |", rows[r].label);
    for (int i = 0; i < conf->case_count; i++) {
      if (!conf->cases[i].show) continue;
      double value = metric_value(metric_find(rows[r].metric), &grade->cases[i].totals);
      if (isnan(value))
        text_add(to, " - |");
      else
        text_add(to, " %.1f |", value);
    }
    text_add(to, "\n");
  }
  enum { MAX_LINES = 3 };
  struct picture_subject subject = picture_subject_of(grade);
  int *lines, count = picture_lines(&subject, &lines);
  for (int i = 0; i < count && i < MAX_LINES; i++) {
    struct pictures pictures = pictures_of_line(&subject, lines[i]);
    for (int k = 0; k < pictures.count; k++) {
      text_add(to, "\nLine %d, `%s`: ", lines[i], source_line(grade->source, lines[i]));
      add_words(to, pictures.items[k].sentence);
      text_add(to, "\n");
      picture_charts(&pictures.items[k], take_chart, writing);
    }
    pictures_free(&pictures);
  }
  free_all(lines, subject.launches);
}

static void add_sweeps(struct writing *writing) {
  const struct handin *handin = writing->handin;
  if (handin->no_sweep) {
    add_words(writing->block, handin->no_sweep);
    text_add(writing->block, "\n");
  }
  if (handin->sweep) sweep_charts(handin->sweep, take_chart, writing);
  for (int i = 0; i < handin->series_count; i++)
    series_charts(&handin->series[i], take_chart, writing);
}

static void add_predictions(const struct handin *handin, struct text *to) {
  const struct grade *grade = handin->grade;
  const struct conf *conf = &grade->lab->conf;
  text_add(to, "| question | predicted | counted | |\n|---|---:|---:|---|\n");
  for (int i = 0; i < conf->answer_count; i++) {
    double value;
    bool known = answer_known(grade, i, &value);
    const char *given = grade->answers ? grade->answers[i] : NULL;
    text_add(to, "| ");
    add_words(to, conf->answers[i].question);
    text_add(to, " | ");
    add_words(to, given ? given : "-");
    if (known)
      text_add(to, " | %.4g | %s |\n", value, answer_right(grade, i, value) ? "right" : "");
    else
      text_add(to, " | - | |\n");
  }
}

/* --- the whole --- */

enum { MACHINE, RESULT, SIZES, ACCESSES, SWEEPS, PREDICTIONS, BLOCKS };
static const char *const block_names[BLOCKS] = {"machine",  "result", "sizes",
                                                "accesses", "sweeps", "predictions"};
static const char *const headings[BLOCKS] = {"The machine",
                                             "Points",
                                             "Time and speedup over the size",
                                             "Where the memory accesses go",
                                             "One parameter at a time",
                                             "Predictions and counts"};

/* Has the lab anything to say there? */
static bool is_wanted(const struct handin *handin, int block) {
  const struct conf *conf = &handin->grade->lab->conf;
  if (block == SWEEPS) return handin->sweep || handin->no_sweep || handin->series_count;
  return block != PREDICTIONS || conf->answer_count > 0;
}

/* A first report: the kit's blocks, and room for what is the student's. */
static char *first_report(const struct handin *handin, struct block *blocks) {
  const struct lab *lab = handin->grade->lab;
  struct text text = {0};
  text_add(&text, "# Lab %s: %s\n\n*Your name, your group, the date.*\n\n", lab->id + 3,
           lab->conf.title);
  text_add(&text,
           "<!-- What stands between `kit` marks is written anew each time you run ./grade %s "
           "--report; everything else is yours, and stays. -->\n\n"
           "## What it is about\n\n*In your own words: what the kernel computes, and how.*\n",
           lab->id);
  for (int i = 0; i < BLOCKS; i++) {
    if (!is_wanted(handin, i)) continue;
    text_add(&text, "\n## %s\n\n", headings[i]);
    block_add(&blocks[i], &text);
    blocks[i].there = true;
    if (i >= SIZES) text_add(&text, "\n*What do you see here, and why is it so?*\n");
  }
  if (lab->conf.question_count) text_add(&text, "\n## Questions\n");
  for (int i = 0; i < lab->conf.question_count; i++)
    text_add(&text, "\n### %s\n\n*Your answer.*\n", lab->conf.questions[i].ask);
  text_add(&text,
           "\n## Conclusions\n\n*What did you expect, what did you find, what would you try "
           "next?*\n");
  return text_take(&text);
}

/* Made of report.md, if what it takes is installed. */
static void typeset(const struct handin *handin, const struct screen *screen) {
  autofree char *script = kit_path(handin->kit, "grader/handin/typeset");
  const char *const argv[] = {script, handin->folder, NULL};
  struct process_end end;
  autofree char *output = process_output((struct process){.argv = argv, .wall_seconds = 120}, &end);
  char *rest = output, *line;
  while ((line = strsep(&rest, "\n")) != NULL) {
    bool made = strcmp(line, "report.html") == 0 || strcmp(line, "report.pdf") == 0;
    if (made)
      screen_line(screen, PLAIN, "  %s/%s", handin->folder, line);
    else if (*line)
      note("grade: %s", line);
  }
  if (end.start_error || end.timed_out)
    note("grade: report.md is written, but not made into pages: %s",
         end.timed_out ? "that took too long" : strerror(end.start_error));
}

void handin_write(const struct handin *handin, const struct screen *screen) {
  autofree char *path = xprintf("%s/report.md", handin->folder);
  autofree char *old = file_read(path, NULL);
  if (!old && errno != ENOENT) die("%s: %s", path, strerror(errno));
  struct block blocks[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) blocks[i] = (struct block){.name = block_names[i]};
  char *error = NULL;
  if (old) free(blocks_replace(old, blocks, BLOCKS, &error)); /* before anything is written */
  if (error) die("%s: %s", path, error);

  struct writing writing = {.handin = handin};
  for (int i = 0; i < BLOCKS; i++) blocks[i].there = false;
  add_machine(handin, &blocks[MACHINE].text);
  add_result(handin, &blocks[RESULT].text);
  writing.block = &blocks[SIZES].text;
  add_sizes(&writing);
  writing.block = &blocks[ACCESSES].text;
  add_accesses(&writing);
  writing.block = &blocks[SWEEPS].text;
  add_sweeps(&writing);
  add_predictions(handin, &blocks[PREDICTIONS].text);

  autofree char *text =
      old ? blocks_replace(old, blocks, BLOCKS, &error) : first_report(handin, blocks);
  file_write(path, text, strlen(text));
  screen_line(screen, PLAIN, "  %s: %s, %d charts", path,
              old ? "the kit's parts are new, yours as they were" : "write your part",
              writing.charts);
  for (int i = 0; i < BLOCKS; i++)
    if (!blocks[i].there && is_wanted(handin, i))
      screen_line(screen, DIM, "  left out, as report.md has no block '%s' any more: %s",
                  block_names[i], headings[i]);
  if (writing.error) note("grade: %s", writing.error);
  free(writing.error);
  for (int i = 0; i < BLOCKS; i++) text_free(&blocks[i].text);
  typeset(handin, screen);
}
