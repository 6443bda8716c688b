/* kernel.h: a kernel of a loaded module, decoded with the functions that it calls on first use. */
#ifndef KIT_KERNEL_H
#define KIT_KERNEL_H

#include "harness/sim/base/launches.h"
#include "harness/sim/decode/program.h"

struct shared_variable {
  const struct ptx_variable *variable;
  char name[64]; /* demangled, without its function */
  uint32_t start;
  bool dynamic;
};

/* A function of which the program takes the address. */
struct taken_function {
  const struct ptx_function *function;
  uint64_t address;
};

struct kernel {
  const struct ptx_function *function;
  struct module *module;
  char name[128]; /* demangled, without parameters */
  bool decoded;
  char error[256]; /* why it cannot run; empty: it can */
  int error_line;
  bool invalid;          /* of error: a GPU's compiler would refuse it, too */
  int needs, needs_line; /* 80: a GPU of compute capability 8.0, for the instruction in that line */
  char needs_what[64];
  struct program *programs[256]; /* [0] is the kernel, then the functions it calls */
  int program_count;
  struct shared_variable shared[64];
  int shared_count;
  uint32_t shared_end;        /* where dynamic shared memory starts, gaps included */
  size_t static_shared_bytes; /* as the hardware counts: no gaps */
  const struct op **ops;      /* by index */
  int op_count, block_count;
  size_t max_dynamic_shared;
  struct taken_function *taken; /* pointers.c; looked for when the kernel calls through a pointer */
  int taken_count, taken_room;
  int site_count; /* of its calls */
  int children;   /* launches of it by kernels so far */
  bool spills;    /* it needs more registers than it may have */
  struct kernel_info info;
  /* By byte of the parameters: does the kernel read it? NULL: not decoded. */
  unsigned char *reads_param;
  struct plan *plan; /* model/plan.h: of the device, which makes it at the first launch */
};

static inline size_t round_up(size_t value, size_t to) { return (value + to - 1) / to * to; }

struct module {
  struct ptx_module *ptx;
  struct kernel *kernels;
  int kernel_count;
  struct module_variable {
    const char *name;
    uint64_t address;
    size_t bytes;
  } * variables; /* .global and .const */
  int variable_count;
  /* All modules of the program: what this one only declares may be in another. */
  struct module *const *all;
  const int *all_count;
};

/* Fills in parameters and the layout of shared memory. */
void kernel_describe(struct kernel *kernel);
/* Decodes on the first call. Sets kernel->error if something in it is not supported. False if
 * memory runs out. */
bool kernel_decode(struct kernel *kernel);
void kernel_release(struct kernel *kernel);
/* A function's program for this kernel, decoded on the first call; NULL: see kernel->error. */
struct program *kernel_program(struct kernel *kernel, const struct ptx_function *function);
/* Offset of a .local variable among those of a function, -1 if there is none of that name; *total:
 * bytes of all, per thread. name, total may be NULL. */
int64_t local_offset(const struct ptx_function *function, const char *name, size_t *total);
/* params_read.c: fills reads_param, of zeros. False if memory runs out. */
bool params_find_reads(struct kernel *kernel);
const struct ptx_variable *find_variable(const struct ptx_variable *variables, int count,
                                         const char *name);
/* What the module defines under this name or, as a linker would have it, another of the program;
 * NULL: none does. */
const struct module_variable *module_variable(const struct module *module, const char *name);
const struct ptx_function *module_function(const struct module *module, const char *name);
/* The same for kernels; own: of this module only. */
struct kernel *module_own_kernel(const struct module *module, const char *name);
struct kernel *module_kernel(const struct module *module, const char *name);
/* pointers.c: the value of a pointer to a function that the program defines; 0: it does not. */
uint64_t module_function_address(const struct module *module, const char *name);
int module_of_function_address(uint64_t address); /* its number among the program's; -1: none */
/* Finds kernel->taken, if it is empty. False if memory runs out, or the program is too large. */
bool kernel_find_taken(struct kernel *kernel);
/* "void f<16>(float*)::a" to "a"; "void k<4>(int)" to "k<4>". */
void demangle_variable(const char *symbol, char *name, size_t size);
void demangle_function(const char *symbol, char *name, size_t size);

#endif
