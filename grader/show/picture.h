/* picture.h: pictures of where the memory accesses of a source line go, from what launches
 * recorded (report.h's accesses: one block's warps, each the first time).
 *
 * For each array that the line reads or writes: an access map of the warp that fares worst, and for
 * an array in shared memory a map of how all warps of the block load the banks. The work that a
 * line wastes is the sectors and wavefronts over what its words would need side by side. */
#ifndef KIT_PICTURE_H
#define KIT_PICTURE_H

#include "grader/base/screen.h"
#include "grader/run/report.h"
#include "grader/score/score.h"
#include "grader/show/chart.h"

/* What the pictures are of. */
struct picture_launch {
  const struct launch_record *launch;
  const char *case_name; /* NULL: of a program, which has no cases */
};
struct picture_subject {
  const char *name;   /* the names of files begin with it: "lab4" */
  const char *device; /* NULL: not known */
  const struct source *source;
  struct picture_launch *launches; /* the owner's to free */
  int launch_count;
};
/* Of the first call of every case of a grade, which must stay. */
struct picture_subject picture_subject_of(const struct grade *grade);

struct picture {
  int line;
  char *name;       /* "lab4-line23-tile-load": of its files */
  const char *plot; /* plots/PLOT.gp */
  const char *space;
  bool wasteful; /* more sectors or wavefronts than would do */
  char *title, *source, *sentence;
  struct text table;
};

struct pictures {
  struct picture *items;
  int count;
};

/* The lines that have pictures, the most wasteful first; their number. *lines is the caller's. */
int picture_lines(const struct picture_subject *subject, int **lines);
/* The pictures of a line; none if nothing was recorded of it. Release with pictures_free. */
struct pictures pictures_of_line(const struct picture_subject *subject, int line);
void pictures_free(struct pictures *pictures);

/* The picture as a chart, named as the picture. */
void picture_charts(const struct picture *picture, chart_taker *take, void *context);

/* Appends the picture to svg as an <svg> element; see chart_svg for id and for what comes back. */
char *picture_svg(const struct kit *kit, const struct picture *picture, const char *id,
                  struct text *svg);

/* Writes the pictures of a line (0: the most wasteful one) to build/pictures/ as SVG and PNG, and
 * says on the screen what they show and where they are; with plot shows them there, too. For a line
 * without pictures it lists those that have some. */
void picture_show(const struct kit *kit, const struct picture_subject *subject, int line, bool plot,
                  const struct screen *screen);

/* --- picture_words.c: a warp's access in a sentence or two, for the text beside its picture. */

/* "Warp 0 reads 32 words of tile in 32 wavefronts; 1 would do. Neighbouring lanes are ...";
 * others: how many more such instructions the line has. The caller's. */
char *words_of_warp(const struct access_record *access, const struct access_warp *warp, int others);
/* "32 warps of the block, once each: 1024 wavefronts; 32 would do." The caller's. */
char *words_of_block(const struct access_record *access);

#endif
