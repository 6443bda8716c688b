/* sweep_table.h: a sweep over block shapes for people, as JSON, and as a chart's data. */
#ifndef KIT_SWEEP_TABLE_H
#define KIT_SWEEP_TABLE_H

#include "grader/base/screen.h"
#include "grader/run/sweep.h"

/* The times of all shapes as a table of BLOCK_X by BLOCK_Y, then what is known of the best ones and
 * the submission's own; with explain, of all. */
void sweep_print(const struct screen *screen, const struct sweep *sweep, bool explain);
/* {"schema":1, "lab", "backend", "device", "seed", "case", "parameters":[2], "time_kind",
 *  "own":[x, y], "best":[x, y], "shapes":[{"extent":[x, y], "state":"right|wrong|ignored",
 *  "load_sectors_per_request", "store_sectors_per_request", "time_ns", "bound", "reason"}]} */
void sweep_write_json(const struct sweep *sweep, uint64_t seed, const char *path);
/* The right shapes' table for plots/sweep.gp. */
void sweep_chart_table(const struct sweep *sweep, struct text *table);
/* Draws the times as a heat map, plots/sweep.gp, into build/pictures/, with plot on the terminal,
 * too. */
void sweep_draw(const struct kit *kit, const struct sweep *sweep, bool plot,
                const struct screen *screen);

#endif
