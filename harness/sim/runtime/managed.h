/* managed.h: managed memory on the host's side: pages shared with the device, same addresses.
 *
 * While work that the host has not waited for uses an array, its pages are protected: none may be
 * touched if the work writes there, none written if it only reads. Host code that does so faults,
 * which is recorded, and goes on; the device decides later whether that was a race
 * (device_host_access). As with pinned buffers (host_buffers.h), only the first access to a page is
 * seen, until the runtime is called again.
 */
#ifndef KIT_MANAGED_H
#define KIT_MANAGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maps an array's pages at its device address; the caller keeps the descriptor. False if the
 * addresses are taken or memory runs out. */
bool managed_map(uint64_t address, size_t bytes, int pages);
/* Maps them over memory of the host, from a page on, which keeps its contents, or takes the
 * array's: the host's address is then another than the device's. Other things on the last page
 * stay. */
bool managed_map_over(void *host, uint64_t address, size_t bytes, int pages, bool keeps);
/* First byte and end of the array with this address on the device, in pages. */
bool managed_bounds(uint64_t address, uint64_t *first, uint64_t *end);
/* Unmaps an array; does nothing for other memory. What it was mapped over stays the host's. */
void managed_unmap(uint64_t address);
void managed_unmap_all(void);
/* Those that are mapped over memory of the host. */
void managed_unmap_over(void);

/* Are there any arrays? */
bool managed_any(void);

/* To be called before the runtime issues work or waits: reports what host code has touched. */
void managed_report(void);
/* To be called afterwards: protects what work still uses, and nothing else. */
void managed_guard(void);

/* Called by the signal handler for a fault at this address. False: not in managed memory. What an
 * atomic instruction touches is not reported: kernels may do so at the same time, by atomics. */
bool managed_touched(uintptr_t address, bool writes, bool atomic);

#endif
