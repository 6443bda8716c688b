/* chart_show.c: writes a chart beside a grading, or draws it in the terminal. */
#include "grader/show/chart.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *chart_show_files(const struct kit *kit, const struct chart *chart, const char *name,
                       const struct screen *screen) {
  char *folder = kit_path(kit, "build/pictures"), *svg = xprintf("%s/%s.svg", folder, name),
       *png = xprintf("%s/%s.png", folder, name), *error = NULL;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    error = xprintf("%s: %s", folder, strerror(errno));
  if (!error) error = chart_write(kit, chart, CHART_SVG, svg);
  if (!error) error = chart_write(kit, chart, CHART_PNG, png);
  if (!error) {
    screen_line(screen, DIM, "  %s and .png", short_path(svg));
  }
  free_all(png, svg, folder);
  return error;
}

char *chart_show_text(const struct kit *kit, const struct chart *chart,
                      const struct screen *screen) {
  freed_by(text_free) struct text lines = {0};
  char *error = chart_draw(kit, chart, CHART_TEXT, &lines);
  for (const char *at = text_get(&lines); *at;) {
    int length = (int)strcspn(at, "\n");
    screen_line(screen, PLAIN, "%.*s", length, at);
    at += length + (at[length] == '\n');
  }
  return error;
}
