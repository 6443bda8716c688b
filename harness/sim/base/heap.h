/* heap.h: the heap from which kernels take memory with malloc and new: one allocation, of which
 * kernels get parts. It lasts until the program ends. */
#ifndef KIT_HEAP_H
#define KIT_HEAP_H

#include "harness/sim/base/memory.h"

struct heap;

/* To be called before a launch. If that may take memory: makes the heap if there is none yet, and
 * keeps what it looks like, as the launch may be undone. False: out of memory. */
bool heap_prepare(struct memory *memory, bool takes);
/* Since heap_prepare, nothing has happened. */
void heap_restore(struct memory *memory);
void heap_close(struct memory *memory);
/* Bytes that it will have (default 8 MiB). False: it is there already. */
bool heap_set_size(struct memory *memory, size_t bytes);

/* The address of a part that has not been written, 0 if there is no room. */
uint64_t heap_take(struct memory *memory, size_t bytes);
/* False: no such part is in use. */
bool heap_give_back(struct memory *memory, uint64_t address);

#endif
