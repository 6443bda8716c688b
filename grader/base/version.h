/* version.h: the kit's version, also part of what cached measurements are named by. */
#ifndef KIT_VERSION_H
#define KIT_VERSION_H

#define KIT_VERSION "0.1"

#endif
