/* device_process.h: the device's process of a program that was started by hand. */
#ifndef KIT_DEVICE_PROCESS_H
#define KIT_DEVICE_PROCESS_H

/* Starts it: $KIT_DEVICE, else the one that was installed or built with this. Returns this end of a
 * socket; the device ends when that closes. */
int device_process_start(void);
/* It has closed its end: says why, as a clause, and what to do. */
const char *device_process_end(void);

#endif
