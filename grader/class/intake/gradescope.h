/* gradescope.h: submission_metadata.yml of a Gradescope export: who is behind submission_1234567/.
 *
 *     submission_1234567:
 *       :submitters:
 *       - :name: Ada Lovelace
 *         :sid: '12345'
 *         :email: ada@example.edu
 *       :created_at: 2026-01-31 12:00:00.000000000 Z
 *       :history: ...        (earlier submissions' times and scores; their files are not exported)
 */
#ifndef KIT_CLASS_GRADESCOPE_H
#define KIT_CLASS_GRADESCOPE_H

#include <stddef.h>

struct gradescope_person {
  char *name, *sid, *email; /* NULL: not known */
};

struct gradescope_submission {
  char *folder;
  char *created_at;                 /* NULL: not known */
  struct gradescope_person *people; /* of a group several */
  int person_count;
};

struct gradescope_metadata {
  struct gradescope_submission *submissions;
  int count;
};

/* Returns NULL, or what is wrong with the text (the caller's). */
char *gradescope_read(const char *text, size_t length, struct gradescope_metadata *metadata);
void gradescope_free(struct gradescope_metadata *metadata);
/* NULL: there is nothing about the folder. */
const struct gradescope_submission *gradescope_find(const struct gradescope_metadata *metadata,
                                                    const char *folder);

/* Seconds since 1970 of a created_at; 0: it is none, or NULL. */
long long gradescope_time(const char *words);

#endif
