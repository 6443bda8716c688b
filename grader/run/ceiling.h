/* ceiling.h: what the device could do at most in a lab's problem: move bytes, or compute.
 *
 * Measured by programs of their own (harness/problems/NAME/ceiling.cu), timed as submissions are,
 * at any size; or, where times are modelled, what the GPU's description says. */
#ifndef KIT_CEILING_H
#define KIT_CEILING_H

#include "grader/lab/lab.h"

struct ceiling {
  const char *name; /* "cublasSgemm", "the GPU's DRAM" */
  double per_ns;    /* bytes or fp32 operations */
  char *device;     /* where it was measured; the caller's. NULL: described */
};

/* "GB/s", "TFLOP/s", and how many of it are one a ns. */
const char *ceiling_unit(enum ceiling_kind kind);
double ceiling_in_unit(enum ceiling_kind kind, double per_ns);

/* Times one of the family's ceilings. device: known from before, or NULL: then it is measured anew,
 * else a measurement kept under build/cache will do. Returns false with *why (the caller's). */
bool ceiling_measure(const struct kit *kit, const struct family *family, int way, const long *dims,
                     const char *device, struct ceiling *ceiling, char **why);

/* The best of them; device and *why as above. */
bool ceiling_best(const struct kit *kit, const struct family *family, const long *dims,
                  const char *device, struct ceiling *ceiling, char **why);

/* From the description that the simulator uses (KIT_SIM_GPU, or the built-in one). */
bool ceiling_described(enum ceiling_kind kind, struct ceiling *ceiling, char **why);
/* "NVIDIA H100 80GB HBM3, as described"; the caller's. */
char *ceiling_described_device(void);

#endif
