/* timeline_chart.c: see timeline_chart.h. */
#include "grader/show/timeline_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

enum { HOST = 1, STREAMS }; /* processes of the trace */
enum category { KERNEL, COPY_IN, COPY_OUT, ON_DEVICE, FUNCTION, CALL, WAIT, CATEGORIES };

static const struct {
  const char *names[3]; /* in the trace */
  const char *mark, *plain;
  enum colour colour;
  const char *meaning;
} categories[CATEGORIES] = {
    [KERNEL] = {{"kernel"}, "█", "K", GREEN, "kernel"},
    [COPY_IN] = {{"copy in", "pages in"}, "▼", ">", YELLOW, "copy to the device"},
    [COPY_OUT] = {{"copy out", "pages out"}, "▲", "<", YELLOW, "copy to the host"},
    [ON_DEVICE] = {{"copy", "fill"}, "▒", "=", GREEN, "copy or fill on the device"},
    [FUNCTION] = {{"host function"}, "f", "f", PLAIN, "function of the host"},
    [CALL] = {{"call"}, "c", "c", PLAIN, "call"},
    [WAIT] = {{"wait"}, "░", "w", DIM, "the host waits"},
};

struct span {
  int process, track;
  enum category category;
  double begin, end, ready; /* us */
};

struct spans {
  struct span *items;
  size_t count, room;
  double begin, end; /* of the work of streams */
};

static enum category category_of(const char *name) {
  for (int c = 0; c < CATEGORIES; c++)
    for (int i = 0; i < 3 && categories[c].names[i]; i++)
      if (strcmp(name, categories[c].names[i]) == 0) return (enum category)c;
  return CATEGORIES;
}

static double number(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

static void read_spans(const json_t *trace, struct spans *spans) {
  size_t i;
  json_t *event;
  *spans = (struct spans){.begin = INFINITY, .end = -INFINITY};
  json_array_foreach (json_object_get(trace, "traceEvents"), i, event) {
    const char *name = json_string_value(json_object_get(event, "cat"));
    enum category category = name ? category_of(name) : CATEGORIES;
    if (category == CATEGORIES || number(event, "pid") > STREAMS) continue;
    struct span span = {(int)number(event, "pid"),
                        (int)number(event, "tid"),
                        category,
                        number(event, "ts"),
                        number(event, "ts") + number(event, "dur"),
                        number(json_object_get(event, "args"), "ready_us")};
    if (spans->count == spans->room) {
      spans->room = 2 * spans->room + 64;
      spans->items = xrealloc(spans->items, spans->room * sizeof *spans->items);
    }
    spans->items[spans->count++] = span;
    if (span.process != STREAMS) continue;
    spans->begin = fmin(spans->begin, span.begin);
    spans->end = fmax(spans->end, span.end);
  }
}

/* ---- the chart ---- */

/* What a row shows in one column of the time from one moment to another. */
static enum category cell_of(const struct spans *spans, int process, int track, double from,
                             double to) {
  double covered[CATEGORIES] = {0};
  int most = CATEGORIES;
  for (size_t i = 0; i < spans->count; i++) {
    const struct span *s = &spans->items[i];
    if (s->process == process && s->track == track && s->end > from && s->begin < to)
      covered[s->category] += fmin(s->end, to) - fmax(s->begin, from);
  }
  for (int c = 0; c < CATEGORIES; c++)
    if (covered[c] > 0 && (most == CATEGORIES || covered[c] > covered[most])) most = c;
  return (enum category)most;
}

static void print_row(const struct screen *screen, const struct spans *spans, int process,
                      int track, bool *seen) {
  enum { LABEL = 10 };
  int columns = screen->width - LABEL - 1;
  double step = (spans->end - spans->begin) / columns;
  autofree char *label = process == HOST ? xstrdup("host")
                         : track         ? xprintf("stream %d", track)
                                         : xstrdup("default");
  screen_print(screen, PLAIN, "%-*s ", LABEL, label);
  for (int column = 0; column < columns; column++) {
    double from = spans->begin + column * step;
    enum category c = cell_of(spans, process, track, from, from + step);
    if (c == CATEGORIES) {
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
    if (spans->items[i].process == STREAMS && spans->items[i].track == track) return true;
  return false;
}

static void print_rows(const struct screen *screen, const struct spans *spans) {
  enum { MOST = 24, LAST_STREAM = 256 };
  bool seen[CATEGORIES] = {false};
  int rows = 0;
  print_row(screen, spans, HOST, 0, seen);
  for (int track = 0; track < LAST_STREAM; track++) {
    if (!has_work(spans, track)) continue;
    if (rows++ < MOST) print_row(screen, spans, STREAMS, track, seen);
  }
  if (rows > MOST) screen_line(screen, DIM, "and %d other streams", rows - MOST);
  struct text legend = {0};
  for (int c = 0; c < CATEGORIES; c++)
    if (seen[c])
      text_add(&legend, "%s%s %s", legend.length ? "   " : "",
               screen->utf8 ? categories[c].mark : categories[c].plain, categories[c].meaning);
  if (legend.length) screen_wrap(screen, DIM, 0, "", text_get(&legend));
  text_free(&legend);
}

/* ---- in numbers ---- */

struct boundary {
  double when;
  enum category category;
  int change;
};

static int by_time(const void *a, const void *b) {
  const struct boundary *x = a, *y = b;
  return x->when != y->when ? (x->when > y->when) - (x->when < y->when) : x->change - y->change;
}

/* us in which at least one of a kind is under way; copies: beside something else; any. */
struct overlap {
  double busy[CATEGORIES], copies, hidden, any;
};

static struct overlap overlap_of(const struct spans *spans) {
  struct overlap overlap = {{0}, 0, 0, 0};
  struct boundary *all = calloc(2 * spans->count + 1, sizeof *all);
  size_t count = 0;
  int now[CATEGORIES] = {0};
  if (!all) return overlap;
  for (size_t i = 0; i < spans->count; i++) {
    const struct span *s = &spans->items[i];
    if (s->process != STREAMS) continue;
    all[count++] = (struct boundary){s->begin, s->category, 1};
    all[count++] = (struct boundary){s->end, s->category, -1};
  }
  qsort(all, count, sizeof *all, by_time);
  for (size_t i = 0; i < count; i++) {
    double passed = i ? all[i].when - all[i - 1].when : 0;
    int kinds = 0;
    for (int c = 0; c < CATEGORIES; c++)
      if (now[c]) overlap.busy[c] += passed, kinds++;
    int copying = (now[COPY_IN] > 0) + (now[COPY_OUT] > 0);
    overlap.copies += copying * passed;
    if (kinds > 1) overlap.hidden += copying * passed;
    if (kinds) overlap.any += passed;
    now[all[i].category] += all[i].change;
  }
  free(all);
  return overlap;
}

static void print_numbers(const struct screen *screen, const struct spans *spans) {
  struct overlap o = overlap_of(spans);
  double all = spans->end - spans->begin, waited = 0;
  char text[40];
  for (size_t i = 0; i < spans->count; i++) {
    const struct span *s = &spans->items[i];
    if (s->process == STREAMS && s->ready > 0) waited += s->begin - s->ready;
  }
  screen_line(screen, PLAIN,
              "%s in all: kernels %.0f%%, copies to the device %.0f%%, to the host "
              "%.0f%% of it",
              duration_text(all, text, sizeof text), 100 * o.busy[KERNEL] / all,
              100 * o.busy[COPY_IN] / all, 100 * o.busy[COPY_OUT] / all);
  if (o.copies > 0)
    screen_line(screen, PLAIN, "copies: %.0f%% of their time is hidden behind other work",
                100 * o.hidden / o.copies);
  double engines = o.busy[KERNEL] + o.busy[COPY_IN] + o.busy[COPY_OUT] + o.busy[ON_DEVICE];
  if (o.any > 0)
    screen_line(screen, PLAIN, "at work at once: %.2f of kernels, copies in and copies out",
                engines / o.any);
  if (waited > all / 100)
    screen_line(screen, PLAIN, "work that was ready has waited %s for an engine or for room",
                duration_text(waited, text, sizeof text));
}

void timeline_chart(const struct screen *screen, const json_t *trace) {
  struct spans spans;
  read_spans(trace, &spans);
  screen_newline(screen);
  screen_print(screen, BOLD, "Timeline");
  if (spans.end > spans.begin) {
    screen_line(screen, DIM, ", modelled");
    print_rows(screen, &spans);
    print_numbers(screen, &spans);
  } else {
    screen_line(screen, PLAIN, ": the program gave the device nothing to do.");
  }
  free(spans.items);
}
