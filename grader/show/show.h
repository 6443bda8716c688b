/* show.h: what ./grade shows beside the grade of a lab's file (card.h, html.h, json.h). */
#ifndef KIT_SHOW_H
#define KIT_SHOW_H

#include <jansson.h>

#include "grader/base/screen.h"
#include "grader/lab/conf.h"
#include "grader/lab/lab.h"
#include "grader/run/series.h"
#include "grader/run/sizes.h"
#include "grader/run/sweep.h"
#include "grader/score/score.h"
#include "grader/show/chart.h"

/* --- profile_table.c: where the time of a grading went. */

/* By phase, then by process. */
void profile_print(const struct screen *screen, const struct profile *profile);
/* The caller's; the schema is in json.c. */
json_t *profile_to_json(const struct profile *profile);

/* --- sweep_table.c: a sweep over block shapes for people, as JSON, and as a chart's data. */

/* The times of all shapes as a table of BLOCK_X by BLOCK_Y, then what is known of the best ones and
 * the submission's own; with explain, of all. */
void sweep_print(const struct screen *screen, const struct sweep *sweep, bool explain);
/* {"device", "case", "parameters":[2], "time_kind", "own":[x, y], "best":[x, y],
 *  "shapes":[{"extent":[x, y], "state":"right|wrong|ignored", "load_sectors_per_request",
 *             "store_sectors_per_request", "time_ns", "bound", "reason"}]}; the caller's */
json_t *sweep_to_json(const struct sweep *sweep);
/* The right shapes' table for plots/sweep.gp. */
void sweep_chart_table(const struct sweep *sweep, struct text *table);
/* The times as a heat map (plots/sweep.gp). */
void sweep_charts(const struct sweep *sweep, chart_taker *take, void *context);

/* --- series_table.c: the same of a series over a dimension. */

/* "lab0: A copy with an offset"; the caller's. */
char *series_title(const struct series *series);
/* A row for each value; then why the first wrong one is wrong. */
void series_print(const struct screen *screen, const struct series *series);
/* {"name", "title", "case", "dimension", "device", "time_kind", "points":[{"value",
 *  "state":"right|wrong", "load_requests", "load_sectors", "store_requests", "store_sectors",
 *  "load_sectors_per_request", "load_efficiency" (%), "time_ns", "gb_per_s", "reason"}]}; the
 *  caller's */
json_t *series_to_json(const struct series *series);
/* The right values' table for plots/series.gp. */
void series_chart_table(const struct series *series, struct text *table);
/* Bandwidth and sectors over the values (plots/series.gp). */
void series_charts(const struct series *series, chart_taker *take, void *context);

/* --- sizes_table.c: times over sizes for people, as JSON, as CSV, and as charts. */

/* A table of times, one of how many times as fast the file is as each other line, and what was left
 * out. */
void sizes_print(const struct screen *screen, const struct sizes *sizes);
/* {"schema":1, "lab", "backend", "device", "seed", "case", "function", "cpu":"..." or null, "over":
 *  the id of the line that speedups are over, or null, "sizes":[..], "lines":[{"id", "name",
 *  "time_kind":"modelled|measured", "points":[{"n", "dims":{}, "state":"right|wrong|left out",
 *  "time_ns", "deviation_ns", "runs", "speedup", "reason"}]}], "notes":[".."]}; null where a value
 *  is not known */
void sizes_write_json(const struct sizes *sizes, const char *path);
/* The same points, one a row, with a heading; -: to stdout. */
void sizes_write_csv(const struct sizes *sizes, const char *path);
/* "34.7 us"; the caller's. */
char *sizes_time_words(double ns);
/* Time and speedup over size (plots/size_time.gp, size_speedup.gp). */
void sizes_charts(const struct sizes *sizes, chart_taker *take, void *context);

/* --- simulated.c: "Modelled for: Tesla T4 (published figures, not measured). ..."; NULL: measured
 * on a GPU, or modelled for the built-in one. The caller's. */
char *simulated_words(const struct grade *grade);
/* What is known of the error then: tests/model/README.md, "A GPU that nobody has measured". */
#define UNMEASURED_ERROR                                                                   \
  "of an H100 described in the same way it is 10% on average, and 18% if all that such a " \
  "description carries over were off by 30%."

/* --- gpus_table.c: `./grade gpus`. */
void gpus_print(const struct screen *screen, const struct kit *kit);

/* --- ceiling_table.c: `./grade ceiling`: what the device can do at most. */

/* Prints the ceilings of all labs' problems, unless quiet: measured on the GPU, at the sizes that
 * labs time, at the largest that they have and at one far larger than L2; or, for the simulator,
 * those of its GPU's description. json: a file to write them to, or NULL. Returns 0, or 2 if one
 * could not be measured, which it says. */
int ceiling_show(const struct kit *kit, const char *backend, const char *json, bool quiet);

/* --- conf_print.c: what a lab.conf may hold, on the terminal; what one holds, as JSON. --- */

/* Every key with its type, range, default and sentence. */
void conf_print_keys(const struct screen *screen);
/* What was read, with defaults filled in and null for what is not given; the caller's:
 *
 *   {"schema":1, "lab":"lab2", "files":["labs/lab2_tiled/lab.conf"], "max_points":100,
 *    "budget":{"instructions":..., "bytes":..., "calls":...} (of all cases together),
 *    "conf":{"title":"...", "problem":"matmul", "entries":["matmul"], ...},
 *    "cases":[{"name":"17", "hidden":false, "dims":{"M":17, ...}, "sets":3, ...}, ...],
 *    "items":[{"id":"small", "hidden":false, "class":"correctness", "full":{"at_least":false,
 *              "value":4}, ...}, ...] (each with the keys of its class),
 *    "sweep":{"case":"n512", "values":[8, 16], ...} or null,
 *    "series":[{"name":"offset", "case":"offset-1", "dimension":"STEP", ...}, ...],
 *    "sizes":{"case":"pad-1024", "dims":null} or null} */
json_t *conf_to_json(const struct lab *lab);

/* --- gradescope_results.c: a grade as the results.json that Gradescope reads from an autograder.
 *
 * Format: https://gradescope-autograders.readthedocs.io/en/latest/specs/ ("Output format"). One
 * test an item: what is hidden is shown to students once grades are published, all else at once.
 * The leaderboard has the score and, for every performance item, its figure (a time or a ratio of
 * times, whose better end its threshold says). */

/* Replaces the file at once, or leaves it and ends the program. If the disk is full it first
 * removes PATH.reserve, put there by gradescope/run_autograder. seconds: that grading took. */
void gradescope_write(const struct grade *grade, double seconds, const char *path);

/* --- once.c: a run on sizes of one's own, for no points: ./grade LAB --dims M=64,N=64,K=64. --- */

/* The lab's conf with nothing but one case: on these sizes, by the function that the case `like`
 * calls (NULL: the lab's first). Ends the program with a sentence if the text names no sizes. It
 * borrows from conf; the case is *entry, whose name is the caller's. */
struct conf once_conf(const struct conf *conf, const char *text, const char *like,
                      struct case_conf *entry);

/* Prints launches with their counters, hazards, and whether the result is right. Returns 0 if it
 * is, without a hazard, else 1. */
int once_print(const struct screen *screen, const struct grade *grade);

#endif
