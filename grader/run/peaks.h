/* peaks.h: what the GPU in this machine can do at most, as the driver tells the grader: not the
 * runner, where the submission runs. */
#ifndef KIT_PEAKS_H
#define KIT_PEAKS_H

struct peaks {            /* 0: not known */
  double flops_per_ns;    /* fp32, an FMA is two */
  double l2_bytes_per_ns; /* between L2 and all multiprocessors */
  double dram_bytes_per_ns;
};

/* Of the first device; all 0 where there is no driver. */
struct peaks peaks_read(void);

/* ns that these operations and bytes take at least, the bytes out of whichever memory is faster. */
double peaks_floor(const struct peaks *peaks, double bytes, double operations);

#endif
