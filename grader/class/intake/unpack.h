/* unpack.h: the files in an archive that somebody handed in, read into memory.
 *
 * Nothing is ever extracted to a path that an archive names: files get names of ours. An archive
 * with anything in it that a set of source files does not need is refused as a whole, with a
 * reason: a path that is absolute or leads upwards, a link, a device, an encrypted entry, two files
 * of one name, more data than its limits; so is one that is damaged or cut off. */
#ifndef KIT_CLASS_UNPACK_H
#define KIT_CLASS_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

struct packed_file {
  char *path; /* as in the archive: any bytes */
  char *data; /* with a NUL behind it */
  size_t length;
  long long modified; /* seconds since 1970; 0: not known */
  const char *fault;  /* why it has no data; NULL: it has */
};

struct unpack_limits {
  size_t entries;    /* of any kind */
  size_t file_bytes; /* of one file that is kept */
  size_t all_bytes;  /* of all files, kept or not */
  size_t ratio;      /* all_bytes over the archive's own size, from a megabyte on */
  /* Which files to keep; NULL: all. Others must be harmless, too, and have no data afterwards. */
  bool (*wanted)(const char *path);
  /* Of many people: one's link or file that is too large is listed with its fault, in place of
   * refusing all. Folders are listed, too; their paths end in '/'. */
  bool of_many;
};

/* For what one student handed in. */
extern const struct unpack_limits unpack_submission;

struct unpacked {
  struct packed_file *files;
  int count;
  char *reason; /* NULL, or why it is refused: then there are no files */
};

extern const char unpack_link_fault[];

/* Whatever its case; false if there is nothing before it. */
bool unpack_ends_with(const char *path, const char *end);
/* Is it an archive, by its name? */
bool unpack_is_archive(const char *path);
/* Is it a header, which a .cu file beside it may include? */
bool unpack_is_header(const char *path);
/* Can it be or hold a submission, or a part: is it a .cu, a header or an archive? */
bool unpack_matters(const char *path);
/* Something that systems put beside people's files: __MACOSX/, .DS_Store, Thumbs.db, ... */
bool unpack_is_clutter(const char *path);

void unpack(const char *data, size_t length, const struct unpack_limits *limits,
            struct unpacked *unpacked);
void unpack_free(struct unpacked *unpacked);

#endif
