/* fat_binary.h: PTX in a fat binary of nvcc's. */
#ifndef KIT_FAT_BINARY_H
#define KIT_FAT_BINARY_H

#include <stddef.h>

/* Looks into a module's image of at most room bytes (SIZE_MAX: not known). If it is a fat binary,
 * its PTX for the newest architecture is copied into *ptx, which the caller frees; NULL: the image
 * is no fat binary. Returns why there is no PTX in it, or NULL. */
const char *fat_binary_ptx(const char *image, size_t room, char **ptx);

#endif
