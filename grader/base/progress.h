/* progress.h: what is under way, on one line of the terminal. */
#ifndef KIT_PROGRESS_H
#define KIT_PROGRESS_H

/* "case n512 (7 of 13)"; count 0: without the numbers; what NULL: wipes the line. Nothing unless
 * stderr is a terminal. */
void progress_show(const char *what, const char *name, int number, int count);

#endif
