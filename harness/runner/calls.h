/* calls.h: a runner that makes the calls that a device in another process asks for. */
#ifndef KIT_CALLS_H
#define KIT_CALLS_H

/* Until there are no more. Returns the process's exit status. */
int calls_run(void);

#endif
