/* mapped.h: memory of the host that kernels use: pinned memory, and __managed__ variables.
 *
 * It gets an address of its own on the device, and the same pages, when a kernel first needs it. So
 * pointers to it become other pointers on their way to the device: those that
 * cudaHostGetDevicePointer returns, and those among a launch's arguments.
 */
#ifndef KIT_MAPPED_H
#define KIT_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/sim/base/error.h"

/* Turns an address of the host into the device's. cudaErrorInvalidValue: it is none of such memory.
 */
enum cudaError mapped_translate(uint64_t *address);
/* The same for each 8 bytes of an argument that hold such an address. */
void mapped_translate_argument(void *argument, size_t bytes);
/* Adds a __managed__ variable, whose pages the device has already, at that address. */
bool mapped_add_variable(uint64_t host, size_t bytes, uint64_t device);
/* Turns an address in such a variable into the device's; false: it is in none. */
bool mapped_variable(uint64_t *address);
/* Pinned memory is about to be freed or unregistered. */
void mapped_release(const void *host);

#endif
