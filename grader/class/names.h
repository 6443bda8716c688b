/* names.h: who handed in what, by the names that learning platforms give files. */
#ifndef KIT_CLASS_NAMES_H
#define KIT_CLASS_NAMES_H

#include <stdbool.h>

enum class_format {
  FORMAT_UNKNOWN,
  FORMAT_FOLDER, /* NAME/anything, NAME.cu, NAME.zip */
  FORMAT_CANVAS,
  FORMAT_MOODLE,
  FORMAT_GRADESCOPE,
};
extern const char *const class_format_names[];
enum class_format class_format_find(const char *name);

struct handed_name {
  char *student;    /* what tells the student: the platform's number, or a folder's name */
  char *name;       /* of the person; NULL: not in the path */
  const char *file; /* the path without the platform's part: points into it */
  bool late;        /* the platform says so */
};

/* Of which platform a set of paths (relative, '/' between folders) is. *why: a sentence on what
 * it was recognised by; the caller's. */
enum class_format names_recognise(const char *const *paths, int count, char **why);

/* False if the path does not follow the format. */
bool names_parse(enum class_format format, const char *path, struct handed_name *handed);
void handed_name_free(struct handed_name *handed);

/* The number that a platform adds to a file's name when it is handed in again: 2 of "lab2-2.cu",
 * "lab2 (2).cu"; 0 without one. */
int names_resubmission(const char *file);

/* Which of these labs (NULL-terminated ids) a path names, its last part before the others; NULL:
 * none. */
const char *names_lab(const char *path, char *const *labs);

/* A person's name for comparing: letters only, lower case, words sorted: "Lovelace, Ada" and "ada
 * lovelace" are the same. The caller's. */
char *names_normal(const char *name);
/* The same without any order of words, as Canvas writes names into files: "lovelaceada". The
 * caller's. */
char *names_joined(const char *name, bool last_first);

#endif
