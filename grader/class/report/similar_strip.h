/* similar_strip.h: what of a submission is compared with others': its kernels, without comments and
 * without the lines that everybody was given. */
#ifndef KIT_CLASS_SIMILAR_STRIP_H
#define KIT_CLASS_SIMILAR_STRIP_H

/* The lines of text that belong to functions marked __global__ or __device__ (all lines, if no
 * function is), without comments and blank lines, and without those that skeleton has, too (blanks
 * do not count; NULL: there is none). What is in strings stays. The caller's. */
char *similar_strip(const char *text, const char *skeleton);

/* The text without any blank: equal where files differ in layout alone. The caller's. */
char *similar_bare(const char *text);

#endif
