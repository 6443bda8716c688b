/* profile_table.c: where the time of a grading went, as a table and as JSON. */
#include "grader/base/profile.h"
#include "grader/show/show.h"

static const struct {
  const char *title;
  int depth;
} phases[PHASES] = {
#define X(name, key, title, depth) {title, depth},
    KIT_PHASES(X)
#undef X
};

static void print_row(const struct screen *screen, int depth, const char *title,
                      struct seconds cost) {
  screen_line(screen, PLAIN, "  %*s%-*s %9.3f %9.3f", 2 * depth, "", 36 - 2 * depth, title,
              cost.wall, cost.cpu);
}

/* What there is of a process, in milliseconds of wall time. */
static void print_cases(const struct screen *screen, const struct profile_cases *cases) {
  static const enum phase columns[] = {PHASE_INPUTS, PHASE_DEVICE, PHASE_KERNELS,
                                       PHASE_MODEL,  PHASE_CHECK,  PHASE_RERUN};
  freed_by(text_free) struct text line = {0};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    text_add(&line, "%9.1f", 1000 * cases->phase[columns[i]].wall);
  screen_line(screen, PLAIN, "  %-22.22s%s", cases->name, text_get(&line));
}

void profile_print(const struct screen *screen, const struct profile *profile) {
  screen_newline(screen);
  screen_line(screen, BOLD, "%-38s %9s %9s", "Time of the grading, in seconds", "wall",
              "processor");
  for (int p = 0; p < PHASES; p++)
    print_row(screen, phases[p].depth, phases[p].title, profile->phase[p]);
  print_row(screen, 0, "all of it; phases overlap", seconds_since(seconds_at_start()));
  screen_newline(screen);
  screen_line(screen, BOLD, "%-24s%9s%9s%9s%9s%9s%9s", "Processes, wall ms", "inputs", "device",
              "kernels", "model", "check", "rerun");
  for (int i = 0; i < profile->case_count; i++) print_cases(screen, &profile->cases[i]);
}

static json_t *phases_to_json(const struct seconds *costs) {
  json_t *list = json_array();
  for (int p = 0; p < PHASES; p++)
    if (costs[p].wall > 0)
      json_array_append_new(list, json_pack("{s:s, s:f, s:f}", "phase", phase_keys[p], "wall_s",
                                            costs[p].wall, "cpu_s", costs[p].cpu));
  return list;
}

json_t *profile_to_json(const struct profile *profile) {
  struct seconds total = seconds_since(seconds_at_start());
  json_t *list = json_array();
  for (int i = 0; i < profile->case_count; i++)
    json_array_append_new(list, json_pack("{s:s, s:o}", "cases", profile->cases[i].name, "phases",
                                          phases_to_json(profile->cases[i].phase)));
  return json_pack("{s:{s:f, s:f}, s:o, s:o}", "total", "wall_s", total.wall, "cpu_s", total.cpu,
                   "phases", phases_to_json(profile->phase), "processes", list);
}
