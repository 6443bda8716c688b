/* agreement.c: how two records of verdicts (build/verdicts -r) differ, a GPU's and the simulator's.
 *
 *   build/agreement RECORDED.tsv HERE.tsv
 *
 * Two grades of a file agree if their verdict is the same and their scores differ by at most 2
 * points. Prints each file that differs, with both's times, then `N of M agree`, of the files that
 * RECORDED has. Exit status 1 if fewer than 97 in 100 do, 2 if a record cannot be read. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

enum { MOST_POINTS = 2, LEAST_PERCENT = 97 };

struct line {
  char lab[16], file[256], verdict[16], times[256];
  double score;
};

struct record {
  struct line *lines;
  size_t count;
};

static void read_record(const char *path, struct record *record) {
  FILE *file = fopen(path, "r");
  if (!file) die("%s: %s", path, strerror(errno));
  char text[600];
  bool headed = false;
  for (int number = 1; fgets(text, sizeof text, file); number++) {
    struct line line;
    if (text[0] == '#') continue;
    if (!headed && strcmp(text, "lab\tfile\tscore\tverdict\ttimes\n") == 0) {
      headed = true;
      continue;
    }
    if (!headed || sscanf(text, "%15s %255s %lf %15s %255s", line.lab, line.file, &line.score,
                          line.verdict, line.times) != 5)
      die("%s:%d: not a line of a record, which build/verdicts -r writes", path, number);
    record->lines = xrealloc(record->lines, (record->count + 1) * sizeof line);
    record->lines[record->count++] = line;
  }
  fclose(file);
  if (record->count == 0) die("%s: there is no grade in it", path);
}

static const struct line *find(const struct record *record, const char *file) {
  for (size_t i = 0; i < record->count; i++)
    if (strcmp(record->lines[i].file, file) == 0) return &record->lines[i];
  return NULL;
}

static bool agree(const struct line *a, const struct line *b) {
  double apart = a->score > b->score ? a->score - b->score : b->score - a->score;
  return strcmp(a->verdict, b->verdict) == 0 && apart <= MOST_POINTS;
}

int main(int argc, char **argv) {
  if (argc != 3) die("usage: build/agreement RECORDED.tsv HERE.tsv");
  struct record recorded = {0}, here = {0};
  read_record(argv[1], &recorded);
  read_record(argv[2], &here);
  size_t same = 0;
  for (size_t i = 0; i < recorded.count; i++) {
    const struct line *there = &recorded.lines[i], *line = find(&here, there->file);
    if (line && agree(there, line)) {
      same++;
    } else if (!line) {
      printf("%s: %s %.0f, but no grade here\n", there->file, there->verdict, there->score);
    } else {
      printf("%s: %s %.0f (%s), here %s %.0f (%s)\n", there->file, there->verdict, there->score,
             there->times, line->verdict, line->score, line->times);
    }
  }
  printf("%zu of %zu agree\n", same, recorded.count);
  bool enough = same * 100 >= recorded.count * LEAST_PERCENT;
  free(recorded.lines);
  free(here.lines);
  return !enough;
}
