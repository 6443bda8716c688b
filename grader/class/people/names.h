/* names.h: who handed in what, by the names that learning platforms give files. */
#ifndef KIT_CLASS_NAMES_H
#define KIT_CLASS_NAMES_H

#include "grader/class/people/identity.h"

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
  enum identity_kind kind; /* what the platform uses; IDENTITY_KINDS: the submission, of which only
                              another file shows whose it is */
  char *value;             /* its number, or a folder's name */
  char *name;              /* of the person; NULL: not in the path */
  const char *file;        /* the path without the platform's part: points into it */
  long long upload;        /* the platform's number of the file, in the order they came; 0 */
  bool late;               /* marked so by the platform */
  bool clone;              /* a folder named ASSIGNMENT-ACCOUNT? */
};

/* Of which platform a set of paths (relative, '/' between folders) is. *why: a sentence on what it
 * was recognised by; the caller's. */
enum class_format names_recognise(const char *const *paths, int count, char **why);

/* False if the path does not follow the format. */
bool names_parse(enum class_format format, const char *path, struct handed_name *handed);
void handed_name_free(struct handed_name *handed);

/* Is this what Moodle writes before a participant's number, and in place of a name that the teacher
 * may not see: "Participant", "Teilnehmer/in"? */
bool names_is_participant(const char *words);

/* The number that a platform adds to a file's name when it is handed in again: 2 of "lab2-2.cu",
 * "lab2 (2).cu"; 0 without one. */
int names_resubmission(const char *file);

/* Which of these labs (NULL-terminated ids) a path names, its last part first; NULL: none. */
const char *names_lab(const char *path, char *const *labs);

/* What a student without a roster is called who handed in a folder of this name: "lab2-ada" is
 * ada's. Points into it. */
const char *names_account(const char *folder);

#endif
