/* screen.c: colour, width and wrapping for what people read on a terminal. */
#include "grader/base/screen.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "grader/base/text.h"

void screen_open(struct screen *screen, FILE *file) {
  const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
  bool terminal = isatty(fileno(file));
  struct winsize size;
  *screen = (struct screen){.file = file, .width = 80};
  if (terminal && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    screen->width = size.ws_col;
  if (screen->width < 60) screen->width = 60;
  if (screen->width > 100) screen->width = 100;
  screen->colour = terminal && !(no_colour && *no_colour) && term && strcmp(term, "dumb") != 0;
  screen->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static void print(const struct screen *screen, enum colour colour, const char *format,
                  va_list args) {
  static const char *const codes[] = {"", "\033[1m", "\033[2m", "\033[32m", "\033[33m", "\033[31m"};
  autofree char *string = xvprintf(format, args);
  freed_by(text_free) struct text clean = {0};
  text_add_printable(&clean, string, strlen(string), screen->utf8);
  bool painted = screen->colour && colour != PLAIN;
  fprintf(screen->file, "%s%s%s", painted ? codes[colour] : "", text_get(&clean),
          painted ? "\033[0m" : "");
}

void screen_print(const struct screen *screen, enum colour colour, const char *format, ...) {
  va_list args;
  va_start(args, format);
  print(screen, colour, format, args);
  va_end(args);
}

void screen_newline(const struct screen *screen) { fputc('\n', screen->file); }

void screen_line(const struct screen *screen, enum colour colour, const char *format, ...) {
  va_list args;
  va_start(args, format);
  print(screen, colour, format, args);
  va_end(args);
  screen_newline(screen);
}

void screen_rule(const struct screen *screen) {
  freed_by(text_free) struct text line = {0};
  for (int i = 0; i < screen->width; i++) text_add(&line, "%s", screen->utf8 ? "\u2500" : "-");
  screen_line(screen, DIM, "%s", text_get(&line));
}

int screen_columns(const char *string) {
  int columns = 0;
  for (; *string; string++) columns += ((unsigned char)*string & 0xc0) != 0x80;
  return columns;
}

size_t screen_cut(const char *string, int columns) {
  size_t cut = 0;
  for (; string[cut] && columns > 0; columns--)
    for (cut++; ((unsigned char)string[cut] & 0xc0) == 0x80;) cut++;
  return cut;
}

void screen_wrap(const struct screen *screen, enum colour colour, int indent, const char *label,
                 const char *paragraph) {
  struct text clean = {0}, line = {0};
  text_add_printable(&clean, paragraph, strlen(paragraph), screen->utf8);
  int column = screen_columns(label);
  fprintf(screen->file, "%s", label);
  const char *at = text_get(&clean);
  at += strspn(at, " ");
  while (*at) {
    size_t length = strcspn(at, " ");
    autofree char *word = xprintf("%.*s", (int)length, at);
    int columns = screen_columns(word);
    if (line.length > 0 && column + 1 + columns > screen->width) {
      screen_print(screen, colour, "%s", line.data);
      fprintf(screen->file, "\n%*s", indent, "");
      text_free(&line);
      column = indent;
    } else if (line.length > 0) {
      text_append(&line, " ", 1);
      column++;
    }
    text_append(&line, word, length);
    column += columns;
    at += length;
    at += strspn(at, " ");
  }
  screen_line(screen, colour, "%s", text_get(&line));
  text_free(&line);
  text_free(&clean);
}

bool progress_is_possible(void) {
  const char *term = getenv("TERM");
  return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void progress_show(const char *what, const char *name, int number, int count) {
  autofree char *words = !what   ? xstrdup("")
                         : count ? xprintf("%s %s (%d of %d)", what, name, number, count)
                         : name  ? xprintf("%s %s", what, name)
                                 : xstrdup(what);
  progress_show_words(&(struct progress_words){PLAIN, words}, 1);
}

/* What is left of the line before is wiped last, so that nothing flickers. */
void progress_show_words(const struct progress_words *words, int count) {
  struct screen screen;
  int column = 0;
  if (!progress_is_possible()) return;
  screen_open(&screen, stderr);
  fputc('\r', stderr);
  for (int i = 0; i < count; i++) {
    int columns = screen_columns(words[i].words) + (column ? 2 : 0);
    if (column + columns >= screen.width && column > 0) continue;
    if (column) fputs("  ", stderr);
    screen_print(&screen, words[i].colour, "%.*s",
                 (int)screen_cut(words[i].words, screen.width - 1), words[i].words);
    column += columns;
  }
  fputs("\033[K", stderr);
  fflush(stderr);
}
