/* student.h: who is who, whatever a platform, a roster or a folder calls them. */
#ifndef KIT_CLASS_STUDENT_H
#define KIT_CLASS_STUDENT_H

#include "gradebook.h"

/* What a source knows of a student; NULL or "": nothing. */
struct student {
  const char *id, *name, *email, *section;
  const char *also[4]; /* other identifiers: login, SIS id, ... */
  bool listed;         /* in a roster, where two lines of one name are two people */
};

/* The id of the student that these facts tell (by identifiers first, then e-mail, then name if
 * only one has it), who is added if nobody fits; what was not known is added. The caller's. Call
 * it inside a transaction. */
char *student_add(struct gradebook *book, const struct student *student);
/* The id, or NULL: nobody, or several. */
char *student_find(struct gradebook *book, const struct student *student);

#endif
