/* page_launch.c: the shown cases side by side: how they were launched, how long they took, what
 * they moved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/show/figures.h"
#include "grader/show/page.h"

/* A row writes its cell of shown case i. */
typedef void row_cell(struct page *page, int i);

static void write_size(struct html *html, const uint64_t *size) {
  html_format(html, "%lu \u00d7 %lu", size[0], size[1]);
  if (size[2] != 1) html_format(html, " \u00d7 %lu", size[2]);
}

static void cell_kernel(struct page *page, int i) {
  html_element(&page->html, page->shown[i].longest->kernel, "code", NULL);
  if (page->shown[i].launches > 1)
    html_format(&page->html, " (the longest of %d launches)", page->shown[i].launches);
}

static void cell_grid(struct page *page, int i) {
  write_size(&page->html, page->shown[i].longest->grid);
}

static void cell_block(struct page *page, int i) {
  const uint64_t *block = page->shown[i].longest->block;
  write_size(&page->html, block);
  html_empty(&page->html, "br", NULL);
  html_open(&page->html, "span", "class", "dim", NULL);
  html_format(&page->html, "%lu threads", block[0] * block[1] * block[2]);
  html_close(&page->html, "span");
}

static void cell_shared(struct page *page, int i) {
  uint64_t bytes = page->shown[i].longest->shared_bytes;
  if (bytes == 0)
    html_text(&page->html, "none");
  else
    html_format(&page->html, "%lu bytes", bytes);
}

static void cell_registers(struct page *page, int i) {
  html_format(&page->html, "%lu", page->shown[i].longest->registers);
}

static void write_time(struct html *html, double ns) {
  if (ns < 1e6)
    html_format(html, "%.4g \u00b5s", ns / 1e3);
  else
    html_format(html, "%.4g ms", ns / 1e6);
}

/* Both right, and of one size? */
static bool comparable(const struct page *page, int i, int j) {
  const struct case_conf *cases = page->grade->lab->conf.cases;
  const struct case_result *results = page->grade->cases;
  return results[page->shown[i].index].state == CASE_RIGHT &&
         results[page->shown[j].index].state == CASE_RIGHT &&
         memcmp(cases[page->shown[i].index].dims, cases[page->shown[j].index].dims,
                sizeof cases->dims) == 0;
}

static void cell_time(struct page *page, int i) {
  struct html *html = &page->html;
  double ns = (double)page->shown[i].time_ns, first = (double)page->shown[0].time_ns;
  html_open(html, "b", NULL);
  write_time(html, ns);
  html_close(html, "b");
  html_format(html, " %s", page->shown[i].longest->time_kind);
  if (page->shown[i].launches > 1) html_text(html, ", all launches");
  if (i == 0 || !comparable(page, 0, i) || ns <= 0 || first <= 0) return;
  html_open(html, "span", "class", "dim", NULL);
  html_format(html, ", %.2f times as fast as A", first / ns);
  html_close(html, "span");
}

static void cell_bound(struct page *page, int i) {
  const char *name = page->shown[i].longest->bound;
  const struct bound *bound = bound_find(name);
  if (!bound) {
    html_text(&page->html, *name ? name : "\u2013");
    return;
  }
  char *place = xprintf("#%s", bound->id);
  html_element(&page->html, name, "a", "href", place, NULL);
  free(place);
}

static void cell_inst(struct page *page, int i) {
  char buffer[32];
  html_text(&page->html, figures_count(page->shown[i].totals.value[COUNTER_inst_executed], buffer,
                                       sizeof buffer));
}

/* A ratio; marked if it is bad. */
static void write_ratio(struct html *html, double ratio, bool bad) {
  if (isnan(ratio)) {
    html_element(html, "\u2013", "span", "class", "dim", NULL);
    return;
  }
  html_open(html, "span", "class", bad ? "bad" : NULL, NULL);
  html_format(html, "%s%.1f", bad ? "\u25b2 " : "", ratio);
  html_close(html, "span");
}

static struct figures figures_of_case(const struct page *page, int i) {
  struct figures figures;
  figures_of(&page->shown[i].totals, &figures);
  return figures;
}

static void cell_lanes(struct page *page, int i) {
  write_ratio(&page->html, figures_of_case(page, i).lanes, false);
}

static void cell_loads(struct page *page, int i) {
  double sectors = figures_of_case(page, i).load_sectors;
  write_ratio(&page->html, sectors, figures_scattered(sectors));
}

static void cell_stores(struct page *page, int i) {
  double sectors = figures_of_case(page, i).store_sectors;
  write_ratio(&page->html, sectors, figures_scattered(sectors));
}

static void cell_wavefronts(struct page *page, int i) {
  struct figures figures = figures_of_case(page, i);
  write_ratio(&page->html, figures.wavefronts, figures_conflicting(figures.extra));
  if (isnan(figures.extra)) return;
  html_open(&page->html, "span", "class", "dim", NULL);
  html_format(&page->html, ", %.1f of them extra", figures.extra);
  html_close(&page->html, "span");
}

static const struct {
  const char *title;
  row_cell *cell;
  const char *term; /* in the legend, or NULL */
} rows[] = {
    {"kernel", cell_kernel, NULL},
    {"grid", cell_grid, NULL},
    {"block", cell_block, NULL},
    {"shared memory a block", cell_shared, NULL},
    {"registers a thread", cell_registers, NULL},
    {"time", cell_time, "#term-time"},
    {"bound by", cell_bound, "#term-time"},
    {"warp instructions", cell_inst, "#term-inst"},
    {"lanes active", cell_lanes, "#term-lanes"},
    {"sectors a global load", cell_loads, "#term-sectors"},
    {"sectors a global store", cell_stores, "#term-sectors"},
    {"wavefronts a shared access", cell_wavefronts, "#term-wavefronts"},
};

/* Which case, what it called, its size, and whether it came out right. */
static void write_case(struct page *page, int i) {
  struct html *html = &page->html;
  const struct conf *conf = &page->grade->lab->conf;
  int index = page->shown[i].index;
  if (page->shown_count > 1) {
    html_element(html, page_letter(i), "span", "class", "letter", NULL);
    html_raw(html, " ");
  }
  html_format(html, "case %s", conf->cases[index].name);
  html_raw(html, " ");
  html_open(html, "span", "class", "dim", NULL);
  for (int d = 0; d < conf->family->problem->dim_count; d++)
    html_format(html, "%s%s = %ld", d ? ", " : "", conf->family->problem->dims[d],
                conf->cases[index].dims[d]);
  html_close(html, "span");
  if (page->grade->cases[index].state != CASE_RIGHT)
    html_element(html, "\u2717 its outputs are wrong", "span", "class", "bad note", NULL);
}

void page_launches(struct page *page) {
  struct html *html = &page->html;
  if (page->shown_count == 0) return;
  html_open(html, "section", "id", "launches", NULL);
  html_element(html, "Measured", "h2", NULL);
  if (page->shown_count == 1) {
    html_open(html, "p", "class", "which", NULL);
    write_case(page, 0);
    html_close(html, "p");
  }
  html_open(html, "div", "class", "launches-card", NULL);
  html_open(html, "table", "class", page->shown_count > 1 ? "launches" : "launches one", NULL);
  html_open(html, "thead", NULL);
  html_open(html, "tr", NULL);
  html_element(html, "", "td", NULL);
  for (int i = 0; i < page->shown_count; i++) {
    html_open(html, "th", "scope", "col", NULL);
    write_case(page, i);
    html_close(html, "th");
  }
  html_close(html, "tr");
  html_close(html, "thead");
  html_open(html, "tbody", NULL);
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    html_open(html, "tr", NULL);
    html_open(html, "th", "scope", "row", NULL);
    if (rows[row].term)
      html_element(html, rows[row].title, "a", "href", rows[row].term, NULL);
    else
      html_text(html, rows[row].title);
    html_close(html, "th");
    for (int i = 0; i < page->shown_count; i++) {
      html_open(html, "td", NULL);
      rows[row].cell(page, i);
      html_close(html, "td");
    }
    html_close(html, "tr");
    html_raw(html, "\n");
  }
  html_close(html, "tbody");
  html_close(html, "table");
  html_close(html, "div");
  html_close(html, "section");
  html_raw(html, "\n");
}
