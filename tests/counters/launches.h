/* launches.h: sets of kernel launches whose counters are compared; each launches in the order of
 * the rows of its table.
 *
 * The .cu files are ordinary CUDA: harness/compile builds them for the simulator, nvcc for a GPU.
 */
#ifndef KIT_LAUNCHES_H
#define KIT_LAUNCHES_H

#ifdef __cplusplus
extern "C" {
#endif

void launch_recorded(void); /* recorded.cu: counters.tsv */
void launch_patterns(void); /* patterns.cu: patterns.tsv */
void launch_styles(void);   /* styles.cu: styles.tsv */
void launch_labs(void);     /* labs.cu: labs.tsv */

/* From the program: called before each launch with what its row's column "arg" says. */
void next_launch(const char *arg);

#ifdef __cplusplus
}
#endif
#endif
