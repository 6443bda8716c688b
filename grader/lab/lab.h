/* lab.h: where the kit's files are, and which labs there are. */
#ifndef KIT_LAB_H
#define KIT_LAB_H

#include <stdint.h>

#include "grader/lab/conf.h"

struct kit {
  bool public;  /* hidden.conf is left out, as where students are */
  char *root;   /* the kit's folder: $KIT_ROOT, or two above the grader's own file */
  char *device; /* the simulated device: root/build/device */
  char *confs;  /* a folder with LAB/lab.conf and LAB/hidden.conf that stand for the kit's own where
                   they are there; NULL: there is none */
  uint64_t hash; /* over what the measurement of any solution depends on (reference_hash_kit); 0:
                    not known, and worked out where it is needed */
};

struct lab {
  char *id;       /* "lab2" */
  char *folder;   /* "lab2_tiled" */
  char *source;   /* labs/lab2_tiled/lab2.cu: paths are absolute */
  char *solution; /* solutions/lab2_tiled/lab2.cu */
  char *conf_path;
  char *hidden_path; /* hidden.conf; NULL: there is none */
  struct conf conf;
};

void kit_find(struct kit *kit);
void kit_free(struct kit *kit);
/* Path inside the kit; the caller's to free. */
char *kit_path(const struct kit *kit, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A path as the user would type it: relative if below the current folder. Points into path. */
const char *short_path(const char *path);

/* The labs' ids in order, NULL-terminated; *count may be NULL. Free with lab_free_ids. */
char **lab_ids(const struct kit *kit, int *count);
void lab_free_ids(char **ids);
/* Opens a lab and reads its lab.conf, and its hidden.conf if there is one; ends the program with a
 * message if there is no lab of that name or one of the two is faulty. */
void lab_open(const struct kit *kit, const char *id, struct lab *lab);
void lab_free(struct lab *lab);

/* Goes on from hash with all that the lab asks for: the bytes of lab.conf and hidden.conf. */
uint64_t lab_hash_conf(const struct lab *lab, uint64_t hash);
/* Is the model solution's file here? A student's copy has none. */
bool lab_has_solution(const struct lab *lab);

/* --- Names for what a grade was made with: FNV-1a, as nobody gains by a collision. --- */

/* 16 hex digits over the lab's lab.conf and, if there is one, its hidden.conf. The caller's. */
char *conf_hash(const struct lab *lab);

/* 16 hex digits over all of lab.conf that what is measured in a case depends on: the problem, the
 * case's name (of which its inputs are made), dimensions, sets and function, and the limits.
 * Points, thresholds, titles and hints are not in it. The caller's. */
char *conf_case_hash(const struct conf *conf, int case_index);

#endif
