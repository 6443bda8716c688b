/* crash.h: says why host code crashed when it used a device pointer. */
#ifndef KIT_CRASH_H
#define KIT_CRASH_H

/* Catches SIGSEGV and SIGBUS on a stack of its own. When the fault is a device address used on the
 * host, it says so, to the listener or on stderr; then the process dies by the signal, in every
 * case. */
void crash_catch(void);

void crash_listen(void (*listener)(const char *message));

#endif
