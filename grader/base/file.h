/* file.h: files that are read as a whole, and put in their place as a whole.
 *
 * A file is written beside its path, as .NAME.XXXXXX, and renamed when all of it is there: whoever
 * reads the path finds the old file or the new one, whenever the program or the machine stops. */
#ifndef KIT_FILE_H
#define KIT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* *length (may be NULL) without the NUL that is added. NULL with errno set if it cannot be read. */
char *file_read(const char *path, size_t *length);

struct new_file {
  FILE *stream;
  char *path, *temporary;
};
/* False, with errno set, if it cannot be created. */
bool file_create(struct new_file *file, const char *path);
/* Puts it at its path, on disk, with the rights that a new file gets; on false (errno is set) the
 * path has what it had. */
bool file_commit(struct new_file *file);
/* The two in one. */
bool file_try_write(const char *path, const char *bytes, size_t length);
/* The same; ends the program if the file cannot be written. */
void file_write(const char *path, const char *bytes, size_t length);

/* Goes on from hash (hash_bytes) with the file's length and bytes; as with an empty one if it
 * cannot be read or path is NULL. */
uint64_t hash_file(uint64_t hash, const char *path);

/* Makes the folder, unless it is there; ends the program if it cannot. */
void folder_make(const char *path);

/* The path without links and "..", in place of `path`, which is the caller's as before; itself if
 * there is nothing there. */
char *real_path(char *path);

#endif
