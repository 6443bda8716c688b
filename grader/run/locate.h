/* locate.h: from an address in a program to a line of the student's file. */
#ifndef KIT_LOCATE_H
#define KIT_LOCATE_H

#include <stdint.h>

/* The line of the first of these addresses that lies in a .cu file, by the program's debug
 * information; 0 if there is none, or no addr2line on this machine. */
int locate_line(const char *program, const uint64_t *addresses, int count);

#endif
