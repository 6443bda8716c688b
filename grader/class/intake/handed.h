/* handed.h: from files to what each person handed in for each lab, and from that to attempts.
 *
 * On a platform all files of a person are one submission, and one attempt at a lab; in a plain
 * folder several files lab2.cu, lab2-1.cu are several. Nothing that somebody handed in vanishes: a
 * submission with nothing to grade in it is refused, with the reason. */
#ifndef KIT_CLASS_HANDED_H
#define KIT_CLASS_HANDED_H

#include "grader/class/book/submitters.h"
#include "grader/class/intake/entries.h"
#include "grader/class/intake/gradescope.h"
#include "grader/class/people/names.h"

/* A header that was handed in beside a .cu file. */
struct handed_header {
  char *name; /* without folders */
  char *data;
  size_t length;
};

/* One attempt at one lab; or what is refused. */
struct handed {
  struct submitter *who; /* of a group each of its people */
  int people;
  char *lab;  /* "": not known */
  char *file; /* as it was handed in, "ada/hw.zip: lab2.cu" */
  char *data; /* NULL: refused */
  size_t length;
  struct handed_header *headers;
  int header_count;
  char *sha256;        /* of the file and its headers, or of what is refused */
  char *refused;       /* why; or NULL */
  int order;           /* of several for a lab */
  long long submitted; /* seconds since 1970; 0: not known */
  bool late;           /* marked so by the platform */
};

struct handed_list {
  struct handed *list; /* by who, lab and order */
  int count;
};

/* Reads archives, finds labs; what cannot be used is a class_problem. labs: the kit's. */
void handed_read(struct class *class, struct entries *entries, enum class_format format,
                 const struct gradescope_metadata *metadata, char *const *labs,
                 struct handed_list *handed);
void handed_free(struct handed_list *handed);

/* --- into the gradebook and the state folder (import.c) --- */

/* Reads the roster and the submissions; what is new becomes attempts, pending or refused, with
 * files under STATE/files/: all of it or nothing, if the program is killed. Notes what it found. */
void import_run(struct class *class);

/* Sets what holds for all of a class: seed, policy, due. Ends the program if the seed is another
 * than that of before. */
void import_settings(struct class *class);

#endif
