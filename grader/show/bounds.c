/* bounds.c: the table of bounds. The names are the simulator's: harness/sim/model/model.c. */
#include "grader/show/figures.h"

#include <stddef.h>
#include <string.h>

static const struct bound bounds[] = {
    {"instruction issue", "bound-instruction-issue",
     "Each multiprocessor (SM) has four schedulers, and each of them issues at most one warp "
     "instruction per cycle. They were busy issuing.",
     "Fewer instructions: compute indices outside of loops, unroll short loops, load 16 bytes at "
     "once (float4), let a thread compute several elements."},
    {"fp32 arithmetic", "bound-fp32-arithmetic",
     "The units for additions, multiplications and multiply-adds of floats were busy. Integers "
     "are multiplied there, too.",
     "For a matrix product this is as good as it gets. Else look for work that is done twice, and "
     "for index arithmetic inside of loops."},
    {"integer arithmetic", "bound-integer-arithmetic",
     "The units for comparisons, logic, shifts and index arithmetic were busy; they are half as "
     "fast as those for floats.",
     "Compute indices once, outside of loops; step a pointer instead of multiplying; count with "
     "unsigned numbers and powers of two, where / and % become shifts."},
    {"special functions", "bound-special-functions",
     "The units for division, square roots, exponentials, sines and conversions were busy; they "
     "have an eighth of the rate of additions.",
     "Move such a function out of the loop; multiply by a reciprocal instead of dividing; avoid "
     "integer / and % by values that the compiler does not know."},
    {"fp64 arithmetic", "bound-fp64-arithmetic", "The units for doubles were busy.",
     "Is double precision needed? One constant without f (0.5 for 0.5f) turns a float expression "
     "into doubles."},
    {"tensor cores", "bound-tensor-cores", "The tensor cores were busy.",
     "For a matrix product this is as good as it gets, unless a shorter type will do."},
    {"L1", "bound-l1",
     "Global accesses kept the L1 cache busy, even where it had the data. In a cycle it gives one "
     "word from each of 32 banks, as shared memory does, and finds about three lines of 128 "
     "bytes.",
     "Let the lanes of a warp read neighbours, so that a request is one line. Load less often: "
     "keep in registers or shared memory what is used again."},
    {"shared memory", "bound-shared-memory",
     "Shared memory serves one wavefront per cycle, and was busy with them.",
     "Remove bank conflicts (extra wavefronts). Read 16 bytes at once, and use each value several "
     "times from a register."},
    {"L2 loads", "bound-l2-loads",
     "L1 did not have what was asked for, and the L2 cache, which all multiprocessors share, was "
     "busy sending it.",
     "Let the lanes of a warp read neighbours, so that whole sectors are used. Load once into "
     "shared memory what several threads of a block need."},
    {"L2 stores", "bound-l2-stores",
     "Every store goes on to the L2 cache, each time, and it was busy with them. A sector of 32 "
     "bytes that is stored in part costs more than a whole one.",
     "Let the lanes of a warp store neighbours. Sum up in a register and store once."},
    {"atomics", "bound-atomics",
     "Atomic operations on the same place in global memory are executed one after the other, "
     "whichever block they come from.",
     "Combine first: in a thread's registers, then in the warp or in shared memory, and then one "
     "atomic operation per block. Or spread them over several places."},
    {"DRAM", "bound-dram",
     "Memory outside of the chip was busy: the data do not stay in L2 from launch to launch.",
     "A kernel that moves each byte once, whole sectors at a time, is done: a copy is bound by "
     "DRAM, too. Else read data once, near in time, and use small types."},
    {"block dispatch", "bound-block-dispatch",
     "Blocks are started one after the other over the whole GPU, and these had so little to do "
     "that starting them took longest.",
     "Larger blocks (128 to 512 threads), or several elements per thread."},
    {"latency", "bound-latency",
     "Nothing was busy for half of the time: warps waited for memory, for barriers or for results "
     "of their own.",
     "Give the GPU more to do meanwhile: more warps on a multiprocessor (larger grids, fewer "
     "registers, less shared memory), several independent loads in each thread, fewer barriers."},
    {"launch", "bound-launch",
     "The kernel is over before the GPU has done what every launch costs.",
     "Nothing inside of the kernel helps; use fewer launches, or more work in each."},
};

const struct bound *bound_find(const char *name) {
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
    if (strcmp(bounds[i].name, name) == 0) return &bounds[i];
  return NULL;
}
