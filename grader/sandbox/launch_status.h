/* launch_status.h: what launch tells the grader through its status descriptor. */
#ifndef KIT_LAUNCH_H
#define KIT_LAUNCH_H

#include <stdint.h>

enum launch_event {
  LAUNCH_FAILED = 1, /* the program could not be started: number is an errno, step says at what */
  LAUNCH_ENDED,      /* number is its status as of wait() */
  LAUNCH_PRODUCT,    /* the file that it was to make could not be fetched: number is an errno */
};

struct launch_record {
  int32_t event, number;
  uint64_t peak_bytes; /* resident; of LAUNCH_ENDED */
  char step[16];
};

#endif
