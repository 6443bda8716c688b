/* address.c: which addresses are the device's; also linked where the device itself is not. */
#include "harness/sim/base/memory.h"
#include "harness/sim/device/device.h"

bool device_owns(uint64_t address) {
  return (address - DEVICE_WINDOW) >> ALLOCATION_SHIFT < MAX_ALLOCATIONS ||
         address_is_managed(address);
}

bool device_manages(uint64_t address) { return address_is_managed(address); }
