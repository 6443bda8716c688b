/* source_places.h: source files by number, so that a line of any of them is one number, a place, as
 * all of the simulator passes lines on. File 0 is the only file of a lab's submission, whose places
 * are its lines; programs of their own (kcc) have others. The table is the process's.
 */
#ifndef KIT_SOURCE_PLACES_H
#define KIT_SOURCE_PLACES_H

#include <stddef.h>

enum {
  PLACE_LINE_BITS = 20,
  PLACE_MAX_FILES = 1 << 10,
  PLACE_MAX_LINE = (1 << PLACE_LINE_BITS) - 1, /* further down: no line is named */
};

static inline int place_line(int place) { return place & PLACE_MAX_LINE; }
static inline int place_file(int place) { return place >> PLACE_LINE_BITS; }
static inline int place_make(int file, int line) {
  return line > 0 && line <= PLACE_MAX_LINE ? file << PLACE_LINE_BITS | line : 0;
}

/* The number of the file with this path, from 1 on; 0: there are too many. A compiler names a file
 * as it was called for the host's code and by its whole path for the device's: where one path is
 * the end of the other, they are the same file. */
int place_number(const char *path);
/* Its path, the shorter one, from the process's folder if it lies there; "" for 0 and for numbers
 * that are none. */
const char *place_path(int number);
/* "line 12", or "a.cu:12" if the file has a number. Returns text. */
const char *place_words(int place, char *text, size_t size);

#endif
