/* chart_fonts.c: asks fontconfig, which Pango depends on, for all fonts' characters; see
 * chart_fonts.h. */
#include "grader/show/chart.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/sandbox/process.h"

struct font_range {
  uint32_t first, last;
};
enum {
  SECONDS = 10,
  BYTES = 16 << 20
}; /* it takes a hundredth of a second, and 40 KB for a few fonts */
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
          .argv = argv, .wall_seconds = SECONDS, .cpu_seconds = SECONDS, .file_bytes = BYTES},
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

/* The character at the beginning of words in UTF-8; *length: its bytes. */
static uint32_t first_character(const char *words, size_t *length) {
  unsigned char first = (unsigned char)*words;
  uint32_t character = first < 0x80   ? first
                       : first < 0xe0 ? first & 0x1f
                       : first < 0xf0 ? first & 0xf
                                      : first & 7;
  for (*length = 1; ((unsigned char)words[*length] & 0xc0) == 0x80; ++*length)
    character = character << 6 | ((unsigned char)words[*length] & 0x3f);
  return character;
}

char *chart_fonts_replace(struct chart_fonts *fonts, const char *words) {
  freed_by(text_free) struct text drawable = {0};
  size_t length;
  for (; *words; words += length) {
    if (has(fonts, first_character(words, &length)))
      text_append(&drawable, words, length);
    else
      text_add(&drawable, "%s", square);
  }
  char *copy = xstrdup(text_get(&drawable));
  return copy;
}
