/* build_files.h: copies of a submission's files, for a compiler that is to see nothing beside them.
 */
#ifndef KIT_BUILD_FILES_H
#define KIT_BUILD_FILES_H

#include <stdbool.h>

/* Copies the file into the folder and, if its own folder is the submission's, the headers beside
 * it: plain files with a header's name, of at most 1 MiB, without following links. Returns the
 * file's name there, the caller's: its own, with whatever quotes or control characters it has
 * replaced. Ends the program if the file itself cannot be copied. */
char *build_files_copy(const char *source, bool headers_too, const char *folder);

#endif
