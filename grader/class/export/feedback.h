/* feedback.h: a page and a text for every student and lab. */
#ifndef KIT_CLASS_FEEDBACK_H
#define KIT_CLASS_FEEDBACK_H

#include "grader/class/base/class.h"

/* Writes STATE/feedback/STUDENT/LAB.html and LAB.txt of every attempt that counts: the page and
 * the card of ./grade. */
void feedback_write(struct class *class);

/* The name of a student's folder: what is no letter, digit or one of . _ @ - becomes _, with a
 * number behind it then, so that no two students have the same. The caller's. */
char *feedback_folder(const char *student);

#endif
