/* reservation.h: virtual memory management (CUDA driver API, "Virtual Memory Management"): ranges
 * of addresses that are reserved, memory without an address, and which of it is mapped where.
 *
 * A reservation is an allocation, whose size is where the last mapping ends. Its data lies at its
 * addresses while it is mapped, and moves to the memory's own store when it is unmapped; so memory
 * can be mapped in one place at a time. All sizes are multiples of RESERVATION_UNIT bytes.
 */
#ifndef KIT_RESERVATION_H
#define KIT_RESERVATION_H

#include "harness/sim/base/memory.h"

enum { RESERVATION_UNIT = 2 << 20 };

enum mapping_access { MAPPING_NONE = 0, MAPPING_READS = 1, MAPPING_WRITES = 3 }; /* CUmemAccess_ */

/* NULL: no room. Nothing is mapped yet. */
struct allocation *reservation_make(struct memory *memory, size_t bytes);
/* What a call returns, 0 or cudaErrorInvalidValue, MemoryAllocation or NotSupported (memory that is
 * mapped elsewhere). address: of the reservation, exactly, with nothing mapped. */
int reservation_free(struct memory *memory, uint64_t address, size_t bytes);
/* Memory without an address; *handle is its number, from 1 on. Released, it stays while mapped. */
int reservation_create(struct memory *memory, size_t bytes, uint64_t *handle);
int reservation_release(struct memory *memory, uint64_t handle);
/* The handle of what is mapped at an address, as by another reservation_create. */
int reservation_retain(struct memory *memory, uint64_t address, uint64_t *handle);
int reservation_map(struct memory *memory, uint64_t address, size_t bytes, uint64_t handle);
/* Whole mappings only; all of the range must be mapped, or nothing, as on an H100. */
int reservation_unmap(struct memory *memory, uint64_t address, size_t bytes);
int reservation_set_access(struct memory *memory, uint64_t address, size_t bytes,
                           enum mapping_access access);
/* An enum mapping_access; nothing is mapped there: cudaErrorInvalidValue. */
int reservation_get_access(struct memory *memory, uint64_t address, uint64_t *access);

/* Are these bytes mapped, with access? Then [*from, *to) are the offsets around them that are. */
bool reservation_allows(const struct allocation *a, size_t offset, size_t bytes, bool writes,
                        size_t *from, size_t *to);
/* Why not, as a sentence. *stale: it was mapped before. */
const char *reservation_refusal(const struct allocation *a, size_t offset, bool *stale);
/* For memory.c: frees what a reservation has. */
void reservation_drop(struct allocation *a);
void reservation_close(struct memory *memory);

#endif
