/* turn.h: whose turn it is on the device, among all gradings of this machine: many may run cases
 * there at a time, but one that times has the device to itself. */
#ifndef KIT_TURN_H
#define KIT_TURN_H

enum turn { TURN_SHARED, TURN_ALONE };

/* The lock that all gradings of a machine share, whoever starts them. */
#define TURN_FILE "/tmp/cuda-lab-kit-gpu.lock"

/* Waits for the turn. Returns what turn_end takes; -1 where there can be no lock on this file
 * (times then tell of other processes on the device). A turn ends with its process, too. */
int turn_take(const char *file, enum turn turn);
void turn_end(int taken);

#endif
