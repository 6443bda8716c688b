/* handed.h: from files to what each student handed in for each lab. */
#ifndef KIT_CLASS_HANDED_H
#define KIT_CLASS_HANDED_H

#include "entries.h"
#include "gradescope.h"
#include "names.h"

/* One file that one student handed in for one lab; or an archive that is refused. */
struct handed {
  char *student;      /* what the platform or folder calls the student */
  char *name, *email; /* or NULL */
  char *lab;          /* NULL: unknown */
  char *file;         /* as it was handed in, "ada/hw.zip: lab2.cu" */
  char *data;         /* NULL: refused */
  size_t length;
  char *sha256;        /* of the file, or of the archive */
  char *refused;       /* why; or NULL */
  int order;           /* of several for a lab, by the platform's numbers */
  long long submitted; /* seconds since 1970; 0: not known */
  bool late;           /* the platform says so */
};

struct handed_list {
  struct handed *list; /* by student, lab and order */
  int count;
};

/* Reads archives and finds labs; tells what cannot be used through class_problem. labs: the
 * kit's. */
void handed_read(struct class *class, struct entries *entries, enum class_format format,
                 const struct gradescope_metadata *metadata, char *const *labs,
                 struct handed_list *handed);
void handed_free(struct handed_list *handed);

#endif
