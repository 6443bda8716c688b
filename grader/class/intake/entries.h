/* entries.h: all files of a folder or zip of submissions, whatever it looks like. */
#ifndef KIT_CLASS_ENTRIES_H
#define KIT_CLASS_ENTRIES_H

#include "grader/class/base/class.h"

struct entry {
  char *path;         /* relative, without a folder that everything is in; of an empty folder it
                         ends in '/' */
  char *place;        /* in the file system; NULL: it was in the zip, and data is there */
  char *data;         /* with a NUL behind it; NULL: not read yet, or not kept */
  size_t length;      /* of data */
  long long modified; /* seconds since 1970 */
  char *fault;        /* why it is not looked at; or NULL */
  bool clone;         /* in a clone of a git repository */
};

struct entries {
  struct entry *list; /* by path */
  int count;
};

/* Reads what the options name; ends the program if that cannot be read at all. */
void entries_read(struct class *class, struct entries *entries);
/* Reads an entry's data into memory; false, with entry->fault, if it cannot be read. */
bool entry_load(struct entry *entry);
void entry_unload(struct entry *entry);
void entries_free(struct entries *entries);

/* --- commit_time.c --- */

/* When the last commit that changed the file was made (seconds since 1970, the committer's clock),
 * if the file is as it was committed. False, *seconds untouched: it is not, or there is no
 * repository around it.
 *
 * The repository may be a hostile one: libgit2 reads it, which runs nothing that its configuration
 * names (git would: fsmonitor, gpg.program, ...). */
bool commit_time(const char *path, long long *seconds);

#endif
