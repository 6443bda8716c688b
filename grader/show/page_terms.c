/* page_terms.c: what the words on the page mean, and how to get the same page again. */
#include <stdlib.h>
#include <string.h>

#include "grader/base/version.h"
#include "grader/show/figures.h"
#include "grader/show/model_accuracy.h"
#include "grader/show/page.h"

/* As Nsight Compute uses them; the metric's name there, where there is one. */
static const struct {
  const char *id, *term, *meaning, *metric;
} terms[] = {
    {"term-inst", "warp instruction",
     "One instruction, executed for the 32 threads (lanes) of a warp at once. The bar beside a "
     "count is the line's share of all.",
     "smsp__inst_executed.sum"},
    {"term-lanes", "lanes active",
     "Threads for which an average warp instruction did something, of 32. Fewer: part of the warp "
     "took another branch, or the block is no multiple of 32.",
     "smsp__thread_inst_executed_per_inst_executed.ratio"},
    {"term-sectors", "sectors a load or store",
     "Global memory moves in sectors of 32 bytes. 32 lanes that touch neighbouring floats need 4 "
     "for one request, 32 lanes that touch one address need 1, lanes far from each other one each: "
     "up to 32. A request of a wide type (float4) counts as so many of 4 bytes.",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"term-wavefronts", "wavefronts a shared access",
     "Passes over shared memory that one access of a warp takes. Its 32 banks are 4 bytes wide, "
     "and each can give one word per pass: 1 if the lanes touch different banks or the same word.",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {"term-extra", "extra wavefronts",
     "Wavefronts beyond those that the same accesses would take without bank conflicts: lanes that "
     "ask for different words of one bank wait for each other.",
     NULL},
    {"term-occupancy", "occupancy",
     "Warps that a multiprocessor (SM) holds at once, of the most that it could. A block is let in "
     "if its registers, shared memory and warps are free: what runs out first is the limit. More "
     "warps hide latency better; enough are enough.",
     "sm__maximum_warps_per_active_cycle_pct"},
    {"term-time", "modelled time, bound",
     "On the simulator what some blocks did is played again, instruction by instruction, on a "
     "model of one multiprocessor with its share of L2 and memory. What was busiest is what the "
     "time is bound by. Of " MODEL_LAUNCHES " launches on an H200, half took what was modelled to "
     "within " MODEL_MEDIAN "%, nine of ten to within " MODEL_P90 "%. It ranks kernels; it is not "
     "what a stopwatch would show.",
     NULL},
};

static void write_term(struct html *html, const char *id, const char *term, const char *meaning,
                       const char *metric) {
  html_print(html, "<div id='%s'><dt>%s</dt><dd>%s", id, term, meaning);
  if (metric) html_print(html, " <code>%s</code>", metric);
  html_print(html, "</dd></div>\n");
}

static void write_bounds(struct page *page, const char *const *bounds, int count) {
  for (int i = 0; i < count; i++) {
    const struct bound *bound = bound_find(bounds[i]);
    int k = 0;
    while (k < i && bound_find(bounds[k]) != bound) k++;
    if (!bound || k < i) continue;
    autofree char *term = xprintf("bound by %s", bound->name);
    autofree char *text = xprintf("%s %s", bound->meaning, bound->advice);
    write_term(&page->html, bound->id, term, text, NULL);
  }
}

void page_terms(struct page *page, const char *const *bounds, int count) {
  struct html *html = &page->html;
  html_print(html, "<section id='terms'><h2>Terms</h2><dl>");
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
    write_term(html, terms[i].id, terms[i].term, terms[i].meaning, terms[i].metric);
  write_bounds(page, bounds, count);
  html_print(html, "</dl></section>\n");
}

/* --- the footer --- */

void page_add_word(struct text *command, const char *word) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:@%";
  if (*word && word[strspn(word, plain)] == '\0') {
    text_add(command, " %s", word);
    return;
  }
  text_add(command, " '");
  for (; *word; word++) {
    if (*word == '\'')
      text_add(command, "'\\''");
    else
      text_append(command, word, 1);
  }
  text_add(command, "'");
}

/* The command that makes the same inputs again. */
static void write_command(struct page *page) {
  const struct grade *grade = page->grade;
  freed_by(text_free) struct text command = {0};
  text_add(&command, "./grade %s", grade->lab->id);
  if (strcmp(grade->source->path, short_path(grade->lab->solution)) == 0) {
    text_add(&command, " --solution");
  } else if (strcmp(grade->source->path, short_path(grade->lab->source)) != 0) {
    text_add(&command, " --file");
    page_add_word(&command, grade->source->path);
  }
  text_add(&command, " --seed %lu", grade->seed);
  html_print(&page->html, "<code>%s</code>", text_get(&command));
}

void page_footer(struct page *page) {
  struct html *html = &page->html;
  const struct grade *grade = page->grade;
  autofree char *handout = page_handout_url(page);
  html_print(html, "<footer><p>The same again: ");
  write_command(page);
  html_print(html, "</p>");
  if (handout) html_print(html, "<p><a href='%s'>The lab&#39;s handout</a></p>", handout);
  if (grade->reference_note) html_print(html, "<p>%s</p>", grade->reference_note);
  html_print(html, "<p>CUDA lab kit %s \u00b7 %s \u00b7 backend %s \u00b7 seed %lu</p></footer>\n",
             KIT_VERSION, grade->device ? grade->device : "no device", grade->backend, grade->seed);
}
