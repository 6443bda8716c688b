/* confine.h: a filter of system calls around a program that may mean harm. */
#ifndef KIT_CONFINE_H
#define KIT_CONFINE_H

enum confinement {
  CONFINE_RUNNER, /* a submission: threads, but no processes; no file of its own making */
  CONFINE_GPU,    /* the same with what NVIDIA's driver library needs */
  CONFINE_TOOLS,  /* compilers and what they call: processes, too */
};

/* From now on, and through exec, system calls that none of those needs fail for the calling
 * process. Returns 0, or -1 with errno set if this kernel has no filters: then nothing has
 * happened. */
int confine_process(enum confinement confinement);

#endif
