/* page_launch.c: the shown cases side by side: launches, times, what they moved. */
#include <math.h>
#include <string.h>

#include "grader/show/figures.h"
#include "grader/show/page.h"
#include "grader/show/resources.h"

/* A row writes its cell of shown case i. */
typedef void row_cell(struct page *page, int i);

static void write_size(struct html *html, const uint64_t *size) {
  html_print(html, "%lu \u00d7 %lu", size[0], size[1]);
  if (size[2] != 1) html_print(html, " \u00d7 %lu", size[2]);
}

static void cell_kernel(struct page *page, int i) {
  const struct shown_case *shown = &page->shown[i];
  html_print(&page->html, "<code>%s</code>", shown->longest->kernel);
  if (shown->launches > 1)
    html_print(&page->html, " (the longest of %d launches)", shown->launches);
}

static void cell_grid(struct page *page, int i) {
  write_size(&page->html, page->shown[i].longest->grid);
}

static void cell_block(struct page *page, int i) {
  const uint64_t *block = page->shown[i].longest->block;
  write_size(&page->html, block);
  html_print(&page->html, "<br/><span class='dim'>%lu threads</span>",
             block[0] * block[1] * block[2]);
}

static void cell_shared(struct page *page, int i) {
  uint64_t bytes = page->shown[i].longest->shared_bytes;
  if (bytes == 0)
    html_print(&page->html, "none");
  else
    html_print(&page->html, "%lu bytes", bytes);
}

static struct kernel_resources resources_of(const struct page *page, int i) {
  struct gpu gpu;
  resources_read_gpu(&gpu);
  return resources_of_launch(&gpu, page->shown[i].longest, &page->grade->registers);
}

static void cell_registers(struct page *page, int i) {
  struct kernel_resources kernel = resources_of(page, i);
  html_print(&page->html, "%d", kernel.registers);
  if (!kernel.counted) html_print(&page->html, " <span class='dim'>estimated</span>");
}

static void cell_occupancy(struct page *page, int i) {
  if (!resources_is_kernel(page->shown[i].longest)) {
    html_text(&page->html, "\u2013");
    return;
  }
  struct kernel_resources kernel = resources_of(page, i);
  autofree char *limit = resources_limit(&kernel);
  html_print(&page->html, "%.0f%%<br/><span class='dim'>%d warps an SM, limited by %s</span>",
             kernel.percent, kernel.warps, limit);
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
  if (!(ns > 0)) { /* of a case that nothing else shows */
    html_text(html, "\u2013");
    return;
  }
  html_print(html, "<b>%.4g %s</b> %s", ns < 1e6 ? ns / 1e3 : ns / 1e6, ns < 1e6 ? "\u00b5s" : "ms",
             page->shown[i].longest->time_kind);
  if (page->shown[i].launches > 1) html_print(html, ", all launches");
  if (i > 0 && comparable(page, 0, i) && ns > 0 && first > 0)
    html_print(html, "<span class='dim'>, %.2f times as fast as A</span>", first / ns);
}

void page_bound(struct html *html, const char *name) {
  const struct bound *bound = bound_find(name);
  if (bound)
    html_print(html, "<a href='#%s'>%s</a>", bound->id, name);
  else
    html_text(html, *name ? name : "\u2013");
}

static void cell_bound(struct page *page, int i) {
  page_bound(&page->html, page->shown[i].longest->bound);
}

void page_count(struct html *html, uint64_t count) {
  char buffer[32];
  html_text(html, figures_count(count, buffer, sizeof buffer));
}

static void cell_inst(struct page *page, int i) {
  page_count(&page->html, page->shown[i].totals.value[COUNTER_inst_executed]);
}

void page_ratio(struct html *html, double ratio, bool bad) {
  if (isnan(ratio))
    html_print(html, "<span class='dim'>\u2013</span>");
  else if (bad)
    html_print(html, "<span class='bad'>\u25b2 %.1f</span>", ratio);
  else
    html_print(html, "<span>%.1f</span>", ratio);
}

static void cell_lanes(struct page *page, int i) {
  page_ratio(&page->html, figures_of(&page->shown[i].totals).lanes, false);
}

static void cell_loads(struct page *page, int i) {
  double sectors = figures_of(&page->shown[i].totals).load_sectors;
  page_ratio(&page->html, sectors, figures_scattered(sectors));
}

static void cell_stores(struct page *page, int i) {
  double sectors = figures_of(&page->shown[i].totals).store_sectors;
  page_ratio(&page->html, sectors, figures_scattered(sectors));
}

static void cell_wavefronts(struct page *page, int i) {
  struct figures figures = figures_of(&page->shown[i].totals);
  page_ratio(&page->html, figures.wavefronts, figures_conflicting(figures.extra));
  if (!isnan(figures.extra))
    html_print(&page->html, "<span class='dim'>, %.1f of them extra</span>", figures.extra);
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
    {"occupancy", cell_occupancy, "#term-occupancy"},
    {"time", cell_time, "#term-time"},
    {"bound by", cell_bound, "#term-time"},
    {"warp instructions", cell_inst, "#term-inst"},
    {"lanes active", cell_lanes, "#term-lanes"},
    {"sectors a global load", cell_loads, "#term-sectors"},
    {"sectors a global store", cell_stores, "#term-sectors"},
    {"wavefronts a shared access", cell_wavefronts, "#term-wavefronts"},
};

/* Which case, its size, and whether it came out right. */
static void write_case(struct page *page, int i) {
  struct html *html = &page->html;
  int index = page->shown[i].index;
  if (page->shown_count > 1) html_print(html, "<span class='letter'>%s</span> ", page_letter(i));
  html_print(html, "case %s <span class='dim'>", page->grade->lab->conf.cases[index].name);
  page_dims(page, index);
  html_print(html, "</span>");
  if (page->grade->cases[index].state != CASE_RIGHT)
    html_print(html, "<span class='bad note'>\u2717 its outputs are wrong</span>");
}

void page_launches(struct page *page) {
  struct html *html = &page->html;
  if (page->shown_count == 0) return;
  html_print(html, "<section id='launches'><h2>Measured</h2>");
  if (page->shown_count == 1) {
    html_print(html, "<p class='which'>");
    write_case(page, 0);
    html_print(html, "</p>");
  }
  html_print(html, "<div class='launches-card'><table class='%s'><thead><tr><td></td>",
             page->shown_count > 1 ? "launches" : "launches one");
  for (int i = 0; i < page->shown_count; i++) {
    html_print(html, "<th scope='col'>");
    write_case(page, i);
    html_print(html, "</th>");
  }
  html_print(html, "</tr></thead><tbody>");
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    html_print(html, "<tr><th scope='row'>");
    if (rows[row].term)
      html_print(html, "<a href='%s'>%s</a>", rows[row].term, rows[row].title);
    else
      html_text(html, rows[row].title);
    html_print(html, "</th>");
    for (int i = 0; i < page->shown_count; i++) {
      html_print(html, "<td>");
      rows[row].cell(page, i);
      html_print(html, "</td>");
    }
    html_print(html, "</tr>\n");
  }
  html_print(html, "</tbody></table></div></section>\n");
}
