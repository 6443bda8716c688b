/* once.h: one run of a lab's file on sizes of one's own, for no points: ./grade LAB --dims
 * M=64,N=64,K=64. */
#ifndef KIT_ONCE_H
#define KIT_ONCE_H

#include "grader/base/screen.h"
#include "grader/lab/conf.h"
#include "grader/score/score.h"

/* The lab's conf with nothing but one case: on these sizes, by the function that the case `like`
 * calls (NULL: the lab's first). Ends the program with a sentence if the text names no sizes. It
 * borrows from conf; the case is *entry, whose name is the caller's. */
struct conf once_conf(const struct conf *conf, const char *text, const char *like,
                      struct case_conf *entry);

/* Prints launches with their counters, hazards, and whether the result is right. Returns 0 if it
 * is, without a hazard, else 1. */
int once_print(const struct screen *screen, const struct grade *grade);

#endif
