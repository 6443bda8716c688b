/* chart.c: draws charts with gnuplot, without files on disk. */
#include "grader/show/chart.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/base/text.h"
#include "grader/sandbox/process.h"

enum {
  SECONDS = 10,        /* a chart takes a tenth of one */
  TITLE_COLUMNS = 90,  /* longer ones do not fit */
  NOTE_COLUMNS = 120,  /* of a line of the source and of the sentence under the title */
  TEXT_COLUMNS = 78,   /* all of them in CHART_TEXT */
  MESSAGE_BYTES = 400, /* of what gnuplot complains about */
};
static const uint64_t memory_limit = (uint64_t)2 << 30, file_limit = 64 << 20;
static const char *const format_names[] = {"svg", "png", "text"};

/* --- words --- */

/* One line that is safe to show, at most this long and else cut; the caller's. */
static char *clean_line(const char *string, int columns) {
  struct text line = {0};
  text_add_printable(&line, string, strlen(string), true);
  if (screen_columns(text_get(&line)) > columns)
    strcpy(line.data + screen_cut(line.data, columns - 3), "...");
  return text_take(&line);
}

/* Lines of a paragraph, broken at spaces; the caller's. Lines that are there stay. */
static char *clean_paragraph(const char *string, int columns) {
  struct text broken = {0};
  for (const char *at = string; *at;) {
    size_t length = strcspn(at, "\n");
    char *piece = xprintf("%.*s", (int)length, at), *line = clean_line(piece, 2000), *rest = line;
    while (strlen(rest) > (size_t)columns) {
      char *cut = rest + columns;
      while (cut > rest && *cut != ' ') cut--;
      if (cut == rest) cut = rest + columns; /* one long word */
      while (((unsigned char)*cut & 0xc0) == 0x80) cut++;
      text_add(&broken, "%.*s\n", (int)(cut - rest), rest);
      rest = cut + (*cut == ' ');
    }
    text_add(&broken, "%s", rest);
    free_all(line, piece);
    at += length;
    if (*at == '\n') text_append(&broken, at++, 1);
  }
  return text_take(&broken);
}

/* --- gnuplot --- */

/* Of what gnuplot printed, the first line that is not the echo of a command. */
static char *complaint(const char *messages) {
  const char *error = strstr(messages, "line "); /* "FILE" line 12: ... */
  if (!error) error = messages;
  struct text words = {0};
  size_t length = strcspn(error, "\n");
  text_add_printable(&words, error, length > MESSAGE_BYTES ? MESSAGE_BYTES : length, true);
  if (!words.length) text_add(&words, "no message");
  return words.data;
}

static void make_drawable(struct chart_fonts *fonts, char **words) {
  char *drawable = chart_fonts_replace(fonts, *words);
  free(*words);
  *words = drawable;
}

/* gnuplot finds the table under /proc/self/fd/3 and leaves its picture under /proc/self/fd/4
 * (process.h's descriptors for a job and a report): nothing is on a disk, nobody chooses a path. */
static char *run(const struct kit *kit, const char *gnuplot, const struct chart *chart,
                 enum chart_format format, struct text *output) {
  const int columns = format == CHART_TEXT ? TEXT_COLUMNS : NOTE_COLUMNS;
  int table = memory_file("table"), picture = memory_file("picture"), more = 0;
  char *script = kit_path(kit, "plots/%s.gp", chart->name), *error = NULL,
       *data = chart->data_path ? realpath(chart->data_path, NULL) : xstrdup("/proc/self/fd/3"),
       *rows = xstrdup(chart->data ? chart->data : ""),
       *words[2 + CHART_MORE] = {
           clean_line(chart->title, format == CHART_TEXT ? TEXT_COLUMNS : TITLE_COLUMNS),
           clean_paragraph(chart->source, columns)};
  for (; more < CHART_MORE && chart->more[more]; more++)
    words[2 + more] = clean_paragraph(chart->more[more], columns);
  if (!data) error = xprintf("%s: %s", chart->data_path, strerror(errno));
  if (format == CHART_PNG) {
    struct chart_fonts fonts = {.read = false};
    make_drawable(&fonts, &rows);
    for (int i = 0; i < 2 + more; i++) make_drawable(&fonts, &words[i]);
    chart_fonts_free(&fonts);
  }
  const char *argv[7 + 2 + CHART_MORE + 1] = {
      /* NULL at the end */
      gnuplot, "-d", "-c", script, data, "/proc/self/fd/4", format_names[format]};
  for (int i = 0; i < 2 + more; i++) argv[7 + i] = words[i];
  if (!error && !write_all(table, rows, strlen(rows)))
    error = xprintf("the chart's table cannot be kept: %s", strerror(errno));
  if (!error) {
    struct process_end end;
    autofree char *messages = process_output((struct process){.argv = argv,
                                                              .fds = {{table, 3}, {picture, 4}},
                                                              .fd_count = 2,
                                                              .confined = true,
                                                              .wall_seconds = SECONDS,
                                                              .cpu_seconds = SECONDS,
                                                              .memory_bytes = memory_limit,
                                                              .file_bytes = file_limit},
                                             &end);
    size_t before = output->length;
    if (end.start_error) {
      error = xprintf("%s cannot be started: %s", gnuplot, strerror(end.start_error));
    } else if (end.timed_out || end.signal) {
      error = xprintf("gnuplot %s drawing %s.gp", end.timed_out ? "took too long" : "crashed",
                      chart->name);
    } else {
      read_all(picture, SIZE_MAX, output);
      if (end.exit_code || output->length == before) {
        autofree char *why = complaint(messages);
        error = xprintf("gnuplot cannot draw %s.gp: %s", chart->name, why);
      }
    }
  }
  for (int i = 0; i < 2 + more; i++) free(words[i]);
  free_all(rows, data, script);
  close(table);
  close(picture);
  return error;
}

bool chart_format_of(const char *path, enum chart_format *format) {
  const char *dot = strrchr(path, '.');
  bool svg = dot && strcmp(dot, ".svg") == 0, png = dot && strcmp(dot, ".png") == 0;
  if (svg || png) *format = svg ? CHART_SVG : CHART_PNG;
  return svg || png;
}

/* gnuplot's SVG is XML but for one thing: "]]>" may not stand in text. */
static void escape_cdata_end(struct text *svg, size_t from) {
  char *old = xstrdup(text_get(svg) + from), *at = old, *found;
  svg->length = from;
  while ((found = strstr(at, "]]>")) != NULL) {
    text_append(svg, at, (size_t)(found - at));
    text_add(svg, "]]&gt;");
    at = found + 3;
  }
  text_append(svg, at, strlen(at));
  free(old);
}

/* The terminal `dumb` begins with a form feed and fills its lines with spaces. */
static void trim_lines(struct text *lines, size_t from) {
  autofree char *old = xstrdup(text_get(lines) + from);
  lines->length = from;
  for (const char *at = old + strspn(old, "\f\n"); *at;) {
    size_t length = strcspn(at, "\n"), kept = length;
    while (kept > 0 && at[kept - 1] == ' ') kept--;
    text_append(lines, at, kept);
    text_append(lines, "\n", 1);
    at += length + (at[length] == '\n');
  }
}

char *chart_draw(const struct kit *kit, const struct chart *chart, enum chart_format format,
                 struct text *output) {
  autofree char *gnuplot = program_find("gnuplot");
  if (!gnuplot) return xstrdup("charts need gnuplot, which is not installed: ./setup installs it");
  size_t from = output->length;
  char *error = run(kit, gnuplot, chart, format, output);
  if (!error && format == CHART_SVG) escape_cdata_end(output, from);
  if (!error && format == CHART_TEXT) trim_lines(output, from);
  return error;
}

/* Into a file, whole or not at all. */
static char *chart_write(const struct kit *kit, const struct chart *chart, enum chart_format format,
                         const char *path) {
  freed_by(text_free) struct text picture = {0};
  char *error = chart_draw(kit, chart, format, &picture);
  if (!error && !file_try_write(path, picture.data, picture.length))
    error = xprintf("%s: %s", path, strerror(errno));
  return error;
}

/* Appends the element with `id` before every name that is made or used in a tag. Text between tags,
 * which may be anybody's, stays: gnuplot writes no '<' there. */
static void add_named(struct text *output, const char *svg, const char *id) {
  static const char *const before[] = {" id=\"", " id='", "href=\"#", "href='#", "url(#"};
  bool in_tag = false;
  while (*svg) {
    size_t step = 1;
    const char *matched = NULL;
    if (*svg == '<') in_tag = true;
    if (*svg == '>') in_tag = false;
    for (size_t i = 0; in_tag && i < sizeof before / sizeof *before && !matched; i++) {
      step = strlen(before[i]);
      if (strncmp(svg, before[i], step) == 0) matched = before[i];
    }
    if (!matched) step = 1;
    text_append(output, svg, step);
    if (matched) text_add(output, "%s", id);
    svg += step;
  }
}

/* gnuplot names its plots in elements that a browser shows where the mouse is. */
static char *without_titles(const char *svg) {
  static const char open[] = "<title>", close[] = "</title>";
  struct text kept = {0};
  for (const char *end; (end = strstr(svg, open)) != NULL;) {
    text_append(&kept, svg, (size_t)(end - svg));
    svg = strstr(end, close);
    svg = svg ? svg + sizeof close - 1 : end + strlen(end);
  }
  text_add(&kept, "%s", svg);
  return kept.data;
}

bool chart_element(const char *svg, const char *id, struct text *output) {
  const char *element = strstr(svg, "<svg"); /* after the XML heading */
  if (!element) return false;
  autofree char *clean = without_titles(element);
  add_named(output, clean, id);
  return true;
}

char *chart_svg(const struct kit *kit, const struct chart *chart, const char *id,
                struct text *output) {
  freed_by(text_free) struct text file = {0};
  char *error = chart_draw(kit, chart, CHART_SVG, &file);
  if (!error && !chart_element(text_get(&file), id, output))
    error = xstrdup("gnuplot's SVG is none");
  return error;
}

/* --- for people --- */

char *chart_show_files(const struct kit *kit, const struct chart *chart, const char *name,
                       const struct screen *screen) {
  char *folder = kit_path(kit, "build/pictures"), *svg = xprintf("%s/%s.svg", folder, name),
       *png = xprintf("%s/%s.png", folder, name), *error = NULL;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    error = xprintf("%s: %s", folder, strerror(errno));
  if (!error) error = chart_write(kit, chart, CHART_SVG, svg);
  if (!error) error = chart_write(kit, chart, CHART_PNG, png);
  if (!error) screen_line(screen, DIM, "  %s and .png", short_path(svg));
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

/* --- fonts --- */

struct font_range {
  uint32_t first, last;
};
enum { FONTS_BYTES = 16 << 20 }; /* it prints 40 KB for a few fonts */
static const char square[] = "\u25a1";

/* "20-7e a0 ..." in hexadecimal, a line for every font. */
static void add_ranges(struct chart_fonts *fonts, const char *line) {
  for (char *end; *line; line = end) {
    struct font_range range;
    range.first = range.last = (uint32_t)strtoul(line, &end, 16);
    if (end == line) {
      end++; /* a line end */
      continue;
    }
    if (*end == '-') range.last = (uint32_t)strtoul(end + 1, &end, 16);
    *array_add(fonts->ranges, fonts->count) = range;
  }
}

/* Without fc-list no font is known. */
static void read_fonts(struct chart_fonts *fonts) {
  fonts->read = true;
  autofree char *program = program_find("fc-list");
  if (!program) return;
  const char *const argv[] = {program, "--format", "%{charset}\n", NULL};
  struct process_end end;
  autofree char *ranges = process_output(
      (struct process){
          .argv = argv, .wall_seconds = SECONDS, .cpu_seconds = SECONDS, .file_bytes = FONTS_BYTES},
      &end);
  if (!end.start_error && !end.signal && end.exit_code == 0) add_ranges(fonts, ranges);
}

void chart_fonts_free(struct chart_fonts *fonts) {
  free(fonts->ranges);
  *fonts = (struct chart_fonts){.read = false};
}

/* What every font has that gnuplot may be set up with: Latin, and general punctuation. */
static bool is_common(uint32_t character) {
  return character < 0x250 || (character >= 0x2000 && character < 0x2070);
}

static bool has(struct chart_fonts *fonts, uint32_t character) {
  if (is_common(character)) return true;
  if (!fonts->read) read_fonts(fonts);
  for (int i = 0; i < fonts->count; i++)
    if (character >= fonts->ranges[i].first && character <= fonts->ranges[i].last) return true;
  return false;
}

char *chart_fonts_replace(struct chart_fonts *fonts, const char *words) {
  struct text drawable = {0};
  for (size_t length; *words; words += length) {
    bool shown = has(fonts, (uint32_t)utf8_decode(words, strnlen(words, 4), &length));
    text_append(&drawable, shown ? words : square, shown ? length : strlen(square));
  }
  return text_take(&drawable);
}

void chart_show(const struct chart *chart, const char *name, void *context) {
  const struct chart_showing *showing = context;
  autofree char *error =
      showing->plot ? chart_show_text(showing->kit, chart, showing->screen) : NULL;
  if (!error) error = chart_show_files(showing->kit, chart, name, showing->screen);
  if (error) note("grade: %s", error);
}
