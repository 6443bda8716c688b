/* timeline_chart.c: see timeline_chart.h. */
#include "grader/show/timeline_chart.h"

#include <math.h>
#include <stdio.h>

#include "grader/base/text.h"

static const struct {
  const char *mark, *plain;
  enum colour colour;
  const char *meaning;
} categories[SPAN_CATEGORIES] = {
    [SPAN_KERNEL] = {"█", "K", GREEN, "kernel"},
    [SPAN_COPY_IN] = {"▼", ">", YELLOW, "copy to the device"},
    [SPAN_COPY_OUT] = {"▲", "<", YELLOW, "copy to the host"},
    [SPAN_ON_DEVICE] = {"▒", "=", GREEN, "copy or fill on the device"},
    [SPAN_FUNCTION] = {"f", "f", PLAIN, "function of the host"},
    [SPAN_CALL] = {"c", "c", PLAIN, "call"},
    [SPAN_WAIT] = {"░", "w", DIM, "the host waits"},
};

/* ---- the chart ---- */

/* What is in a row: of the host, or of streams, from one to another. */
struct row {
  enum span_process process;
  int first, last;
};

/* What a row shows in one column of the time from one moment to another. */
static enum span_category cell_of(const struct spans *spans, const struct row *row, double from,
                                  double to) {
  double covered[SPAN_CATEGORIES] = {0};
  int most = SPAN_CATEGORIES;
  for (size_t i = 0; i < spans->count; i++) {
    const struct work_span *s = &spans->items[i];
    if (s->process == row->process && s->track >= row->first && s->track <= row->last &&
        s->end > from && s->begin < to)
      covered[s->category] += fmin(s->end, to) - fmax(s->begin, from);
  }
  for (int c = 0; c < SPAN_CATEGORIES; c++)
    if (covered[c] > 0 && (most == SPAN_CATEGORIES || covered[c] > covered[most])) most = c;
  return (enum span_category)most;
}

static void print_row(const struct screen *screen, const struct spans *spans, const struct row *row,
                      bool *seen) {
  enum { LABEL = 10 };
  int columns = screen->width - LABEL - 1;
  double step = (spans->end - spans->begin) / columns;
  autofree char *label = row->process == SPAN_OF_HOST ? xstrdup("host")
                         : row->last > row->first     ? xprintf("%d to %d", row->first, row->last)
                         : row->first                 ? xprintf("stream %d", row->first)
                                                      : xstrdup("default");
  screen_print(screen, PLAIN, "%-*s ", LABEL, label);
  for (int column = 0; column < columns; column++) {
    double from = spans->begin + column * step;
    enum span_category c = cell_of(spans, row, from, from + step);
    if (c == SPAN_CATEGORIES) {
      screen_print(screen, PLAIN, " ");
      continue;
    }
    seen[c] = true;
    screen_print(screen, categories[c].colour, "%s",
                 screen->utf8 ? categories[c].mark : categories[c].plain);
  }
  screen_newline(screen);
}

static const char *duration_text(double us, char *text, size_t size) {
  if (us < 1000)
    snprintf(text, size, "%.3g us", us);
  else
    snprintf(text, size, us < 1e6 ? "%.3g ms" : "%.3g s", us < 1e6 ? us / 1e3 : us / 1e6);
  return text;
}

static bool has_work(const struct spans *spans, int track) {
  for (size_t i = 0; i < spans->count; i++)
    if (spans->items[i].process == SPAN_OF_STREAM && spans->items[i].track == track) return true;
  return false;
}

enum { MAX_ROWS = 24, MAX_STREAMS = 1024 };

/* Of more streams than there may be rows, neighbours share one. */
static void print_streams(const struct screen *screen, const struct spans *spans, bool *seen) {
  int streams[MAX_STREAMS], count = 0, of_row = 1;
  for (int track = 0; track < MAX_STREAMS; track++)
    if (has_work(spans, track)) streams[count++] = track;
  while ((count + of_row - 1) / of_row > MAX_ROWS) of_row++;
  for (int i = 0; i < count; i += of_row) {
    int last = i + of_row < count ? i + of_row - 1 : count - 1;
    print_row(screen, spans, &(struct row){SPAN_OF_STREAM, streams[i], streams[last]}, seen);
  }
  if (of_row > 1)
    screen_wrap(screen, DIM, 0, "",
                "A row is several streams; a column shows what they do for most of its time.");
}

static void print_rows(const struct screen *screen, const struct spans *spans) {
  bool seen[SPAN_CATEGORIES] = {false};
  print_row(screen, spans, &(struct row){SPAN_OF_HOST, 0, 0}, seen);
  print_streams(screen, spans, seen);
  struct text legend = {0};
  for (int c = 0; c < SPAN_CATEGORIES; c++)
    if (seen[c])
      text_add(&legend, "%s%s %s", legend.length ? "   " : "",
               screen->utf8 ? categories[c].mark : categories[c].plain, categories[c].meaning);
  if (legend.length) screen_wrap(screen, DIM, 0, "", text_get(&legend));
  text_free(&legend);
}

/* ---- in numbers ---- */

static void print_numbers(const struct screen *screen, const struct spans *spans) {
  const struct overlap o = overlap_of(spans);
  double all = o.total;
  char text[40];
  screen_line(screen, PLAIN,
              "%s in all: kernels %.0f%%, copies to the device %.0f%%, to the host "
              "%.0f%% of it",
              duration_text(all, text, sizeof text), 100 * o.busy[SPAN_KERNEL] / all,
              100 * o.busy[SPAN_COPY_IN] / all, 100 * o.busy[SPAN_COPY_OUT] / all);
  if (o.copies > 0)
    screen_line(screen, PLAIN, "copies: %.0f%% of their time is hidden behind other work",
                100 * o.hidden / o.copies);
  double engines =
      o.busy[SPAN_KERNEL] + o.busy[SPAN_COPY_IN] + o.busy[SPAN_COPY_OUT] + o.busy[SPAN_ON_DEVICE];
  if (o.any > 0)
    screen_line(screen, PLAIN,
                "on average %.2f kinds of work are under way: kernels, copies in, copies out",
                engines / o.any);
  if (o.waited > all / 100)
    screen_line(screen, PLAIN, "work that was ready has waited %s for an engine or for room",
                duration_text(o.waited, text, sizeof text));
}

void timeline_chart(const struct screen *screen, const struct spans *spans, const char *how) {
  screen_newline(screen);
  screen_print(screen, BOLD, "Timeline");
  if (spans->end > spans->begin) {
    screen_line(screen, DIM, ", %s", how);
    print_rows(screen, spans);
    print_numbers(screen, spans);
  } else {
    screen_line(screen, PLAIN, ": the program gave the device nothing to do.");
  }
}
