/* submission.h: the files of one submission: which is to be graded for which lab, and why not. */
#ifndef KIT_CLASS_SUBMISSION_H
#define KIT_CLASS_SUBMISSION_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/base/text.h"

/* A file of a submission that can be graded, or included. */
struct part {
  char *shown;      /* the whole path, "ada/hw.zip: src/lab2.cu" */
  const char *path; /* in the submission, or in its archive: points into shown */
  char *data;
  size_t length;
  long long modified; /* seconds since 1970 */
  long long upload;   /* the platform's number, 0: none */
  int container;      /* which archive it came from; -1: none */
  bool header, late;
  const char *lab; /* of a .cu file; NULL: it names none */
};

/* A file that cannot be graded. */
struct unusable {
  char *shown, *reason; /* a sentence's end: "it is a picture" */
  const char *lab;
  bool late, grave; /* grave: it was to be graded, as an archive that is cut off */
};

struct submission {
  struct part *parts;
  int part_count;
  struct unusable *unusable;
  int unusable_count, containers;
  /* Of all files, to hash what is refused; without the platform's part, where names may change. */
  struct text names;
};

/* Adds a file, or what is in an archive. inside: its path in the submission; points into path.
 * data: NULL where fault is why it cannot be read. */
struct file_facts {
  const char *path, *inside, *data, *fault;
  size_t length;
  long long modified, upload;
  bool late;
};
void submission_add(struct submission *submission, const struct file_facts *file,
                    char *const *labs);
void submission_free(struct submission *submission);

/* Why a file that is no .cu, header or archive is of no use: "a picture". Never NULL. */
const char *submission_kind_of(const char *path);
/* Could a loose file be a submission, rather than a note of the instructor's? */
bool submission_is_likely(const char *path);

/* --- which of its .cu files is the one to grade for a lab (choice.c) --- */

struct choice {
  const struct part **parts; /* all .cu files for the lab */
  int count;
  bool attempts;            /* each is to be graded, in this order */
  const struct part *best;  /* else this one; NULL: there is none */
  const struct part *rival; /* unless there is another as good; NULL */
};

/* lab: as in struct part. folder: names are the student's own, files named as the lab attempts. */
struct choice choice_make(const struct submission *submission, const char *lab, bool folder);
void choice_free(struct choice *choice);

#endif
