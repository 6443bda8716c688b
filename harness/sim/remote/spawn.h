/* spawn.h: starts the device's process for a runner that somebody started by hand. */
#ifndef KIT_SPAWN_H
#define KIT_SPAWN_H

/* Returns our end of the socket. Ends the program (status 2), with a sentence that says what to do,
 * if the device cannot be started. The device ends when our end closes. */
int device_spawn(void);

#endif
