/* progress_line.h: which kernel a program runs, and for how long, on the terminal behind stderr,
 * for a program that takes longer than two seconds.
 *
 *     tiled: launch 3, 12 s
 *
 * The line is there only while the kernel runs: then the program waits and prints nothing. It
 * stands behind whatever the program has printed, and leaves the cursor there. */
#ifndef KIT_PROGRESS_LINE_H
#define KIT_PROGRESS_LINE_H

struct progress_line;

/* NULL, which the others take, too, unless $KIT_PROGRESS says 1 and stderr is a terminal. */
struct progress_line *progress_line_open(void);
void progress_line_close(struct progress_line *line);
/* A launch of this kernel begins; it is over. */
void progress_line_begin(struct progress_line *line, const char *kernel);
void progress_line_end(struct progress_line *line);

#endif
