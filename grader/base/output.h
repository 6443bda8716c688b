/* output.h: the files that a command is asked to write: --json FILE, --html FILE. "-" is stdout. */
#ifndef KIT_OUTPUT_H
#define KIT_OUTPUT_H

#include <stddef.h>

/* Ends the program if the file could not be written: to be called before the work is done. option:
 * as the user knows it, "--json"; path may be NULL. */
void output_check(const char *option, const char *path);
/* Writes the file, whole or not at all, with symbolic links followed; a device or a pipe is written
 * to. Ends the program if it cannot. */
void output_write(const char *option, const char *path, const char *bytes, size_t length);
/* The folder that the file is in, without links, for the caller to free. NULL: it is stdout, or
 * there is none. */
char *output_folder(const char *path);

#endif
