/* picture.c: chooses accesses, puts them into words, and has them drawn. */
#include "grader/show/picture.h"

#include <stdlib.h>
#include <string.h>

#include "grader/show/access_map.h"
#include "grader/show/chart.h"

/* --- what the accesses of a line cost --- */

struct access_line {
  int line;
  double spent;                       /* sectors and wavefronts */
  double wasted;                      /* of these, more than its words would take side by side */
  const struct launch_record *launch; /* where it costs most; only its first call counts */
  const char *case_name;              /* of that launch; NULL: none */
};

static double over(const struct counters *c, enum counter spent, enum counter ideal) {
  return (double)c->value[spent] - (double)c->value[ideal];
}

/* Sectors that are moved for less than 32 bytes each; a request moves at least one. */
static double wasted_sectors(const struct counters *c, enum counter sectors, enum counter requests,
                             enum counter used) {
  double min = (double)c->value[used] / 32, count = (double)c->value[requests];
  return (double)c->value[sectors] - (min > count ? min : count);
}

static void add_cost(struct access_line *cost, const struct counters *c) {
  cost->wasted = over(c, COUNTER_shared_load_wavefronts, COUNTER_shared_load_ideal) +
                 over(c, COUNTER_shared_store_wavefronts, COUNTER_shared_store_ideal) +
                 wasted_sectors(c, COUNTER_global_load_sectors, COUNTER_global_load_requests,
                                COUNTER_global_load_used_bytes) +
                 wasted_sectors(c, COUNTER_global_store_sectors, COUNTER_global_store_requests,
                                COUNTER_global_store_used_bytes);
  cost->spent = (double)c->value[COUNTER_shared_load_wavefronts] +
                (double)c->value[COUNTER_shared_store_wavefronts] +
                (double)c->value[COUNTER_global_load_sectors] +
                (double)c->value[COUNTER_global_store_sectors];
}

static int by_cost(const void *a, const void *b) {
  const struct access_line *x = a, *y = b;
  if (x->wasted != y->wasted) return x->wasted < y->wasted ? 1 : -1;
  if (x->spent != y->spent) return x->spent < y->spent ? 1 : -1;
  return x->line - y->line;
}

static bool has_accesses(const struct launch_record *launch, int line) {
  for (int i = 0; i < launch->access_count; i++)
    if (launch->accesses[i].line == line) return true;
  return false;
}

/* Every such line once, those that waste most first. Returns their number; *lines is the caller's,
 * what it points to the subject's. */
static int access_lines(const struct picture_subject *subject, struct access_line **costs) {
  int count = 0;
  *costs = NULL;
  for (int i = 0; i < subject->launch_count; i++) {
    const struct launch_record *launch = subject->launches[i].launch;
    for (int k = 0; k < launch->line_count; k++) {
      struct access_line cost = {.line = launch->lines[k].line,
                                 .launch = launch,
                                 .case_name = subject->launches[i].case_name};
      if (cost.line <= 0 || !has_accesses(launch, cost.line)) continue;
      add_cost(&cost, &launch->lines[k].counters);
      int at = 0;
      while (at < count && (*costs)[at].line != cost.line) at++;
      if (at == count) {
        *array_add(*costs, count) = cost;
      } else if (by_cost(&cost, &(*costs)[at]) < 0) {
        (*costs)[at] = cost;
      }
    }
  }
  if (count > 0) qsort(*costs, (size_t)count, sizeof **costs, by_cost);
  return count;
}

struct picture_subject picture_subject_of(const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  struct picture_subject subject = {
      .name = grade->lab->id, .device = grade->device, .source = grade->source};
  for (int i = 0; i < conf->case_count; i++) {
    const struct report *report = &grade->cases[i].report;
    for (int l = 0; l < report->launch_count; l++)
      if (report->launches[l].set == 0)
        *array_add(subject.launches, subject.launch_count) =
            (struct picture_launch){&report->launches[l], conf->cases[i].name};
  }
  return subject;
}

int picture_lines(const struct picture_subject *subject, int **lines) {
  struct access_line *costs;
  int count = access_lines(subject, &costs);
  *lines = xcalloc((size_t)count + 1, sizeof **lines);
  for (int i = 0; i < count; i++) (*lines)[i] = costs[i].line;
  free(costs);
  return count;
}

/* --- pictures --- */

static int excess(const struct access_record *access, const struct access_warp *warp) {
  int ideal, cost = access_cost(access, warp, &ideal);
  return cost - ideal;
}

/* The warp that fares worst, the first of several. */
static const struct access_warp *worst_warp(const struct access_record *access) {
  const struct access_warp *worst = &access->warps[0];
  for (int i = 1; i < access->warp_count; i++)
    if (excess(access, &access->warps[i]) > excess(access, worst)) worst = &access->warps[i];
  return worst;
}

/* Only letters, digits and '_': it becomes part of a file's name. */
static char *plain_name(const char *name, const char *other) {
  char *copy = xstrdup(*name ? name : other);
  for (char *at = copy; *at; at++) {
    bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                 (*at >= '0' && *at <= '9') || *at == '_';
    if (!plain) *at = '_';
  }
  if (strlen(copy) > 60) copy[60] = '\0';
  return copy;
}

static char *describe_source(const struct picture_subject *subject, const struct access_line *cost,
                             const struct access_record *access) {
  const uint64_t *block = access->block, *grid = cost->launch->grid;
  struct text words = {0};
  text_add(&words, "%s, counted: %s%s%s, block (%lu,%lu",
           subject->device ? subject->device : "unknown device", cost->launch->kernel,
           cost->case_name ? " in case " : "", cost->case_name ? cost->case_name : "", block[0],
           block[1]);
  if (grid[2] > 1) text_add(&words, ",%lu", block[2]);
  text_add(&words, "), first execution");
  return words.data;
}

static struct picture *add_picture(struct pictures *pictures, const struct picture_subject *subject,
                                   const struct access_line *cost,
                                   const struct access_record *access, const char *suffix) {
  struct picture *picture = array_add(pictures->items, pictures->count);
  autofree char *array = plain_name(access->array, access->shared ? "shared" : "global"),
                *op = plain_name(access->op, "access"), *name = plain_name(subject->name, "source");
  *picture = (struct picture){.line = access->line,
                              .space = access->shared ? "shared" : "global",
                              .wasteful = excess(access, worst_warp(access)) > 0};
  picture->name = xprintf("%s-line%d-%s-%s%s", name, access->line, array, op, suffix);
  picture->title = xprintf("%s:%d  %s", subject->source->name, access->line,
                           source_line(subject->source, access->line));
  picture->source = describe_source(subject, cost, access);
  return picture;
}

/* --- which accesses of a line --- */

struct choice {
  const struct access_record *access;
  int excess;
  int others; /* more such instructions of the line, which fare no worse */
};

static int by_excess(const void *a, const void *b) {
  const struct choice *x = a, *y = b;
  if (x->excess != y->excess) return y->excess - x->excess;
  return (x->access > y->access) - (x->access < y->access); /* both of one launch */
}

static bool is_alike(const struct access_record *a, const struct access_record *b) {
  return a->shared == b->shared && strcmp(a->array, b->array) == 0 && strcmp(a->op, b->op) == 0;
}

/* For each array, space and operation the instruction that fares worst; those that fare worst
 * first. Returns their number; *choices is the caller's. */
static int choose(const struct launch_record *launch, int line, struct choice **choices) {
  struct choice *chosen = xcalloc((size_t)launch->access_count + 1, sizeof *chosen);
  int count = 0;
  for (int i = 0; i < launch->access_count; i++) {
    const struct access_record *access = &launch->accesses[i];
    if (access->line != line) continue;
    int at = 0, wasted = excess(access, worst_warp(access));
    while (at < count && !is_alike(chosen[at].access, access)) at++;
    if (at == count) {
      chosen[count++] = (struct choice){access, wasted, 0};
      continue;
    }
    chosen[at].others++;
    if (wasted > chosen[at].excess) {
      chosen[at].access = access;
      chosen[at].excess = wasted;
    }
  }
  qsort(chosen, (size_t)count, sizeof *chosen, by_excess);
  *choices = chosen;
  return count;
}

static void add_access(struct pictures *pictures, const struct picture_subject *subject,
                       const struct access_line *cost, const struct choice *choice) {
  const struct access_record *access = choice->access;
  const struct access_warp *warp = worst_warp(access);
  struct picture *picture = add_picture(pictures, subject, cost, access, "");
  picture->plot = "access_map";
  picture->sentence = words_of_warp(access, warp, choice->others);
  access_map_table(access, warp, &picture->table);
  if (!access->shared) return;
  picture = add_picture(pictures, subject, cost, access, "-banks");
  picture->plot = "bank_map";
  picture->sentence = words_of_block(access);
  bank_map_table(access, &picture->table);
}

struct pictures pictures_of_line(const struct picture_subject *subject, int line) {
  struct pictures pictures = {0};
  struct access_line *costs;
  int count = access_lines(subject, &costs), at = 0;
  while (at < count && costs[at].line != line) at++;
  if (at < count) {
    struct choice *choices;
    int chosen = choose(costs[at].launch, line, &choices);
    for (int i = 0; i < chosen; i++) add_access(&pictures, subject, &costs[at], &choices[i]);
    free(choices);
  }
  free(costs);
  return pictures;
}

void pictures_free(struct pictures *pictures) {
  for (int i = 0; i < pictures->count; i++) {
    struct picture *picture = &pictures->items[i];
    free_all(picture->name, picture->title, picture->source, picture->sentence);
    text_free(&picture->table);
  }
  free(pictures->items);
  *pictures = (struct pictures){0};
}

static struct chart chart_of(const struct picture *picture) {
  struct chart chart = {.name = picture->plot,
                        .data = text_get(&picture->table),
                        .title = picture->title,
                        .source = picture->source};
  int more = 0;
  if (strcmp(picture->plot, "access_map") == 0) chart.more[more++] = picture->space;
  chart.more[more] = picture->sentence;
  return chart;
}

void picture_charts(const struct picture *picture, chart_taker *take, void *context) {
  struct chart chart = chart_of(picture);
  take(&chart, picture->name, context);
}

char *picture_svg(const struct kit *kit, const struct picture *picture, const char *id,
                  struct text *svg) {
  struct chart chart = chart_of(picture);
  return chart_svg(kit, &chart, id, svg);
}

/* --- the screen --- */

static void print_lines(const struct picture_subject *subject, int line,
                        const struct screen *screen) {
  int *lines, count = picture_lines(subject, &lines);
  freed_by(text_free) struct text words = {0};
  if (count == 0) {
    text_add(&words,
             subject->launch_count && subject->launches[0].case_name
                 ? "No picture: no case that the score card shows ran a kernel that reads or "
                   "writes memory."
                 : "No picture: no kernel ran that reads or writes memory.");
  } else {
    text_add(&words,
             "No picture of line %d: it reads and writes no global or shared memory. These "
             "lines do, the most wasteful first:",
             line);
    for (int i = 0; i < count; i++) text_add(&words, " %d", lines[i]);
  }
  screen_wrap(screen, PLAIN, 2, "", text_get(&words));
  free(lines);
}

void picture_show(const struct kit *kit, const struct picture_subject *subject, int line, bool plot,
                  const struct screen *screen) {
  int *lines, count = picture_lines(subject, &lines);
  if (line == 0 && count > 0) line = lines[0];
  free(lines);
  struct pictures pictures = pictures_of_line(subject, line);
  autofree char *error = NULL;
  if (pictures.count == 0) print_lines(subject, line, screen);
  for (int i = 0; i < pictures.count; i++) {
    const struct picture *picture = &pictures.items[i];
    struct chart chart = chart_of(picture);
    /* A terminal scrolls: of what is as it should be, only the first picture. */
    if (plot && !error && (i == 0 || picture->wasteful))
      error = chart_show_text(kit, &chart, screen);
    if (i == 0 && (!plot || error)) screen_wrap(screen, BOLD, 2, "", picture->title);
    screen_wrap(screen, PLAIN, 2, "  ", picture->sentence);
    if (!error) error = chart_show_files(kit, &chart, picture->name, screen);
  }
  if (error) note("grade: %s", error);
  pictures_free(&pictures);
}
