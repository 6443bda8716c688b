/* screen.h: writing for people: width, colour, wrapping. */
#ifndef KIT_SCREEN_H
#define KIT_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

struct screen {
  FILE *file;
  int width;   /* columns, 60 to 100 */
  bool colour; /* a terminal, and neither NO_COLOR nor TERM=dumb */
  bool utf8;   /* the locale's characters */
};

enum colour { PLAIN, BOLD, DIM, GREEN, YELLOW, RED };

void screen_open(struct screen *screen, FILE *file);
/* Prints like printf, in a colour if the screen has any; control characters become '?'. */
void screen_print(const struct screen *screen, enum colour colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same as a line of its own. */
void screen_line(const struct screen *screen, enum colour colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void screen_newline(const struct screen *screen);
/* A line across. */
void screen_rule(const struct screen *screen);
/* Prints a paragraph after `label`, wrapped; all lines but the first are indented to `indent`. */
void screen_wrap(const struct screen *screen, enum colour colour, int indent, const char *label,
                 const char *paragraph);
/* Columns that a string takes: characters, not bytes. */
int screen_columns(const char *string);
/* Bytes that the first so many columns take. */
size_t screen_cut(const char *string, int columns);

/* Is stderr a terminal on which a line can be written again? */
bool progress_is_possible(void);
/* What is under way, on one line of the terminal: "case n512 (7 of 13)"; count 0: without the
 * numbers; name NULL: without it; what NULL: wipes the line. Nothing unless stderr is a terminal.
 */
void progress_show(const char *what, const char *name, int number, int count);
/* The same line, made of these words one after the other, two columns apart. Those that do not fit
 * are left out. */
struct progress_words {
  enum colour colour;
  char *words;
};
void progress_show_words(const struct progress_words *words, int count);

#endif
