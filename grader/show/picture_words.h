/* picture_words.h: a warp's memory access in a sentence or two, for the text beside its picture. */
#ifndef KIT_PICTURE_WORDS_H
#define KIT_PICTURE_WORDS_H

#include "grader/run/report.h"

/* "Warp 0 reads 32 words of tile in 32 wavefronts; 1 would do. Neighbouring lanes are ...";
 * others: how many more such instructions the line has. The caller's. */
char *words_of_warp(const struct access_record *access, const struct access_warp *warp, int others);
/* "32 warps of the block, once each: 1024 wavefronts; 32 would do." The caller's. */
char *words_of_block(const struct access_record *access);

#endif
