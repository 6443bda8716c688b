/* program_page.c: see program_page.h. */
#include "grader/show/program_page.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/version.h"
#include "grader/lab/metric.h"
#include "grader/sandbox/process.h"
#include "grader/show/figures.h"
#include "grader/show/page.h"

enum { HAZARDS_SHOWN = 50, KERNELS_SHOWN = 40, LINES_SHOWN = 8, WHOLE_LINES = 400 };

struct writing {
  struct page page;
  struct html *html; /* the page's */
  const struct program_page *of;
  char prefix[32];
};

/* ---- whose turn it is ---- */

static bool is_shown(const struct program_file *file) { return file->source.line_count > 0; }

static void close_turn(struct page *page) {
  if (page->shown_count) free(page->shown[0].lines);
  free(page->visible);
  page->visible = NULL;
  page->shown_count = 0;
}

/* From here on lines are this file's. */
static void turn(struct writing *writing, const struct program_file *file) {
  struct page *page = &writing->page;
  size_t count = (size_t)file->source.line_count + 1;
  close_turn(page);
  snprintf(writing->prefix, sizeof writing->prefix, "F%d-L",
           (int)(file - writing->of->files->list) + 1);
  page->source = &file->source;
  page->hazards = file->hazards;
  page->hazard_count = file->hazard_count;
  page->shown_count = 1;
  page->shown[0] = (struct shown_case){.name = "",
                                       .longest = &file->accesses,
                                       .totals = writing->of->found->totals,
                                       .lines = xcalloc(count, sizeof(struct counters))};
  memcpy(page->shown[0].lines, file->lines, count * sizeof *file->lines);
  page_choose_lines(page, WHOLE_LINES, false);
}

/* ---- the header ---- */

static int count_hazards(const struct program_page *of, bool warnings) {
  const json_t *json;
  size_t i;
  int count = 0;
  json_array_foreach (json_object_get(of->report, "hazards"), i, json)
    count += json_is_true(json_object_get(json, "warning")) == warnings;
  return count;
}

static bool has_sources(const struct program_page *of) {
  bool any = false;
  for (int i = 0; i < of->files->count; i++) any = any || is_shown(&of->files->list[i]);
  return any;
}

static bool has_accesses(const struct program_page *of) {
  bool any = false;
  for (int i = 0; i < of->files->count; i++)
    any = any || (is_shown(&of->files->list[i]) && of->files->list[i].launch_count);
  return any;
}

static void write_verdict(struct html *html, const struct program_page *of) {
  int faults = count_hazards(of, false), warnings = count_hazards(of, true);
  const char *class = !of->compiled || faults ? "fail" : warnings ? "partial" : "pass";
  int count = faults ? faults : warnings;
  html_print(html, "<p class='verdict %s'><span aria-hidden='true'>%s</span> ", class,
             !of->compiled || faults ? "\u2717"
             : warnings              ? "\u26a0"
                                     : "\u2713");
  if (!of->compiled)
    html_print(html, "does not compile");
  else if (count)
    html_print(html, "%d %s%s", count, faults ? "hazard" : "warning", count > 1 ? "s" : "");
  else
    html_print(html, "no hazards");
  html_print(html, "</p>");
  if (of->compiled && of->end->signal)
    html_print(html, "<p class='score'>signal <b>%d</b></p>", of->end->signal);
  else if (of->compiled)
    html_print(html, "<p class='score'>exit status <b>%d</b></p>", of->end->exit_code);
}

static void write_header(struct writing *writing) {
  const struct program_page *of = writing->of;
  const struct {
    struct html_link link;
    bool there;
  } all[] = {
      {{"#messages", "Compiler"}, of->program->messages.length > 0},
      {{"#hazards", "Hazards"}, of->compiled},
      {{"#output", "Output"}, of->compiled},
      {{"#kernels", "Kernels"}, of->found->kernel_count > 0},
      {{"#source", "Source"}, has_sources(of)},
      {{"#pictures", "Accesses"}, has_accesses(of)},
  };
  struct html_link links[sizeof all / sizeof *all + 1] = {{NULL, NULL}};
  int count = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].there) links[count++] = all[i].link;
  html_header_open(writing->html, "run", of->title, links);
  write_verdict(writing->html, of);
  html_header_close(writing->html);
}

/* ---- what it said ---- */

static void write_messages(struct writing *writing) {
  struct html *html = writing->html;
  const struct text *messages = &writing->of->program->messages;
  if (!messages->length) return;
  html_print(html, "<section id='messages'><h2>Compiler</h2>");
  html_print(html,
             writing->of->compiled ? "<details class='fold'>" : "<details class='fold' open=''>");
  html_print(html, "<summary>Messages of the compiler</summary><pre>");
  size_t cut = html_cut(messages->data, messages->length, 16384);
  html_bytes(html, messages->data, cut);
  if (cut < messages->length) html_print(html, "\n... and %zu more bytes", messages->length - cut);
  html_print(html, "</pre></details></section>\n");
}

static void write_output(struct writing *writing) {
  struct html *html = writing->html;
  const struct kept_output *output = writing->of->output;
  html_print(html, "<section id='output'><h2>Output</h2>");
  if (writing->of->end->signal)
    html_print(html, "<p class='bad note'>The program did not come to its end: %s</p>",
               signal_in_words(writing->of->end->signal));
  if (!output->head.length) {
    html_print(html, "<p class='nothing'>The program printed nothing.</p></section>\n");
    return;
  }
  html_print(html, "<div class='fold'><pre>");
  html_bytes(html, output->head.data, output->head.length);
  if (output->left_out) {
    html_print(html, "\n<span class='cut'>\u2026 %lu bytes are not shown</span>\n",
               output->left_out);
    /* From the beginning of a line. */
    const char *line = memchr(output->tail.data, '\n', output->tail.length);
    const char *from = line ? line + 1 : output->tail.data;
    html_text(html, from);
  } else {
    html_bytes(html, text_get(&output->tail), output->tail.length);
  }
  html_print(html, "</pre></div></section>\n");
}

/* ---- hazards ---- */

static void write_hazard(struct writing *writing, const json_t *json, int index) {
  static const struct program_file nowhere = {.source = {.name = (char *)"?"}};
  const struct program_files *files = writing->of->files;
  const char *path = program_text(json, "file"), *other_path = program_text(json, "other_file");
  const struct program_file *file = program_file_find(files, path),
                            *other = program_file_find(files, other_path);
  struct hazard_record record;
  if (hazard_record_from_json(json, &record)) return;
  int other_line = other && other != file ? record.other_line : 0;
  if (other_line || !other) record.other_line = 0;
  if (!file) record.line = 0;
  if (file) {
    turn(writing, file);
  } else {
    close_turn(&writing->page);
    writing->page.source = &nowhere.source;
    writing->page.visible = xcalloc(1, sizeof(bool));
  }
  autofree char *id = xprintf("hazard-%d", index);
  page_hazard_open(&writing->page, &record, id);
  if (other_line) {
    turn(writing, other);
    html_print(writing->html, "<p>");
    page_line(&writing->page, "and ", other_line);
    html_print(writing->html, "</p>");
    page_quote(&writing->page, other_line);
  }
  page_hazard_close(&writing->page);
  hazard_record_free(&record);
}

static void write_hazards(struct writing *writing) {
  struct html *html = writing->html;
  const json_t *hazards = json_object_get(writing->of->report, "hazards"), *json;
  size_t i, count = json_array_size(hazards);
  html_print(html, "<section id='hazards'><h2>Hazards</h2>");
  json_array_foreach (hazards, i, json)
    if (i < HAZARDS_SHOWN) write_hazard(writing, json, (int)i);
  html_print(html, "<p class='nothing'>");
  if (count > HAZARDS_SHOWN)
    html_print(html, "And %zu more.", count - HAZARDS_SHOWN);
  else if (count == 0 && writing->of->found->kernel_count)
    html_print(html,
               "None: in what was run, every access to memory and every barrier was checked for "
               "races, stray or uninitialised accesses, and threads that a barrier waits for.");
  else if (count == 0)
    html_print(html, "No kernel was launched, so there was nothing to check.");
  html_print(html, "</p></section>\n");
}

/* ---- kernels, and the lines that cost most ---- */

static void write_place(struct writing *writing, const json_t *launch) {
  const struct program_file *file =
      program_file_find(writing->of->files, program_text(launch, "file"));
  int line = (int)program_number(launch, "line");
  if (!file || !line) return;
  turn(writing, file);
  html_print(writing->html, "<span class='dim place'>");
  page_line(&writing->page, "launched at ", line);
  html_print(writing->html, "</span>");
}

static void write_kernel(struct writing *writing, const struct program_kernel *kernel) {
  struct html *html = writing->html;
  struct figures figures = figures_of(&kernel->counters);
  autofree char *grid = program_extent(kernel, "grid", " \u00d7 "),
                *block = program_extent(kernel, "block", " \u00d7 "), *time = program_time(kernel);
  html_print(html, "<tr><th scope='row'>%s", kernel->name);
  write_place(writing, kernel->first);
  html_print(html, "</th><td>%s</td><td>%s</td><td class='n'>%.0f</td><td class='n'>%s</td><td>",
             grid, block, kernel->launches, time);
  page_bound(html, kernel->bound);
  html_print(html, "</td><td class='n'>");
  page_count(html, kernel->counters.value[COUNTER_inst_executed]);
  html_print(html, "</td><td class='n'>");
  page_ratio(html, figures.lanes, false);
  html_print(html, "</td><td class='n'>");
  page_ratio(html, figures.load_sectors, figures_scattered(figures.load_sectors));
  html_print(html, "</td><td class='n'>");
  page_ratio(html, figures.store_sectors, figures_scattered(figures.store_sectors));
  html_print(html, "</td><td class='n'>");
  page_ratio(html, figures.wavefronts, figures_conflicting(figures.extra));
  html_print(html, "</td></tr>\n");
}

static void write_line(struct writing *writing, const struct program_line *line) {
  const struct program_file *file = program_file_find(writing->of->files, line->file);
  autofree char *words = program_line_words(line);
  if (!file || !line->line || !*words) return;
  turn(writing, file);
  html_print(writing->html, "<article class='hazard worst'><h3>");
  page_line(&writing->page, "", line->line);
  html_print(writing->html, "</h3><p>%s</p>", words);
  page_quote(&writing->page, line->line);
  html_print(writing->html, "</article>\n");
}

static void write_kernels(struct writing *writing) {
  struct html *html = writing->html;
  const struct program_found *found = writing->of->found;
  static const struct html_column columns[] = {{"kernel", NULL},
                                               {"grid", NULL},
                                               {"block", NULL},
                                               {"launches", "n"},
                                               {"modelled time", "n"},
                                               {"bound by", NULL},
                                               {"warp inst.", "n"},
                                               {"lanes active", "n"},
                                               {"sectors / load", "n"},
                                               {"sectors / store", "n"},
                                               {"wavefronts / shared access", "n"}};
  if (!found->kernel_count) return;
  html_print(html, "<section id='kernels'><h2>Kernels</h2><div class='launches-card'>");
  html_table_open(html, "cases kernels", columns, sizeof columns / sizeof *columns);
  for (int i = 0; i < found->kernel_count && i < KERNELS_SHOWN; i++)
    write_kernel(writing, &found->kernels[i]);
  html_table_close(html);
  html_print(html, "</div>");
  if (found->kernel_count > KERNELS_SHOWN)
    html_print(html, "<p class='dim'>and %d others</p>", found->kernel_count - KERNELS_SHOWN);
  if (found->line_count && program_line_waste(&found->lines[0]) > 0) {
    html_print(html, "<h3 class='sub'>Lines that move most for nothing</h3>");
    for (int i = 0; i < found->line_count && i < LINES_SHOWN; i++)
      if (program_line_waste(&found->lines[i]) > 0) write_line(writing, &found->lines[i]);
  }
  html_print(html, "</section>\n");
}

/* ---- sources and pictures ---- */

static void write_sources(struct writing *writing) {
  struct html *html = writing->html;
  const struct program_files *files = writing->of->files;
  if (!has_sources(writing->of)) return;
  html_print(html, "<section id='source'><h2>Source</h2>");
  for (int i = 0; i < files->count; i++) {
    if (!is_shown(&files->list[i])) continue;
    turn(writing, &files->list[i]);
    html_print(html,
               "<p class='dim file'><code>%s</code> \u00b7 counters of all launches; a bar is the "
               "line&#39;s share of the whole</p>",
               files->list[i].path);
    page_code(&writing->page);
  }
  html_print(html, "</section>\n");
}

static void write_pictures(struct writing *writing) {
  const struct program_files *files = writing->of->files;
  if (!has_accesses(writing->of)) return;
  html_print(writing->html, "<section id='pictures'><h2>Accesses</h2>");
  for (int i = 0; i < files->count; i++) {
    if (!is_shown(&files->list[i]) || !files->list[i].launch_count) continue;
    struct picture_subject subject =
        program_file_subject(&files->list[i], program_text(writing->of->report, "device"));
    turn(writing, &files->list[i]);
    page_draw(&writing->page, &subject);
    free(subject.launches);
  }
  html_print(writing->html, "</section>\n");
}

/* ---- the whole ---- */

static void write_terms(struct writing *writing) {
  const struct program_found *found = writing->of->found;
  const char **bounds = xcalloc((size_t)found->kernel_count + 1, sizeof *bounds);
  for (int i = 0; i < found->kernel_count; i++) bounds[i] = found->kernels[i].bound;
  if (found->kernel_count) page_terms(&writing->page, bounds, found->kernel_count);
  free(bounds);
}

static void write_footer(struct writing *writing) {
  freed_by(text_free) struct text command = {0};
  text_add(&command, "./grade run");
  for (char *const *word = writing->of->command; *word; word++) page_add_word(&command, *word);
  html_print(writing->html, "<footer><p>The same again: <code>%s</code></p>", text_get(&command));
  const char *device = program_text(writing->of->report, "device");
  html_print(writing->html, "<p>CUDA lab kit %s%s%s</p></footer>\n", KIT_VERSION,
             *device ? " \u00b7 " : "", device);
}

struct text program_page(const struct kit *kit, const struct program_page *of) {
  struct writing writing = {.page = {.kit = kit}, .of = of};
  struct html *html = writing.html = &writing.page.html;
  writing.page.prefix = writing.prefix;
  autofree char *title = xprintf("run: %s", of->title);
  html_frame_open(html, title, NULL);
  write_header(&writing);
  html_print(html, "<main>");
  write_messages(&writing);
  if (of->compiled) {
    write_hazards(&writing);
    write_output(&writing);
    write_kernels(&writing);
    write_sources(&writing);
    write_pictures(&writing);
    write_terms(&writing);
  }
  html_print(html, "</main>");
  write_footer(&writing);
  html_frame_close(html);
  close_turn(&writing.page);
  return writing.page.html.text;
}
