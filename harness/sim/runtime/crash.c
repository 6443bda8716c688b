/* crash.c: explains crashes of host code: a signal handler that finds the cause and the place.
 *
 * Device addresses are not valid on the host, so dereferencing one faults. Where the processor
 * reports the faulting address, that shows it; for a non-canonical address x86-64 reports none
 * (si_code is SI_KERNEL), and then a register that holds a device address is the evidence.
 *
 * The calls that led to the crash are guessed: words of the stack that point into the program.
 */
#include "harness/sim/runtime/runtime.h"

#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "harness/base/backend.h"
#include "harness/sim/base/memory.h"
#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/managed.h"

extern char __executable_start, etext; /* from the linker */
extern void *__libc_stack_end;         /* of the main thread, from the C library */

static void (*crash_listener)(const char *message, const uint64_t *places, int count);
static uintptr_t load_bias; /* what the loader added to the program's addresses */

static struct guarded {
  uintptr_t start, end;
  const char *words;
} guarded[16];
static int guarded_count;

void backend_explain_crash(const void *start, size_t bytes, const char *words) {
  enum { MOST = sizeof guarded / sizeof *guarded };
  uintptr_t from = (uintptr_t)start;
  if (bytes == 0) guarded_count = 0;
  if (bytes == 0 || guarded_count == MOST) return;
  guarded[guarded_count++] = (struct guarded){from, from + bytes, words};
}

static const char *guarded_words(uintptr_t address) {
  for (int i = 0; i < guarded_count; i++)
    if (address >= guarded[i].start && address < guarded[i].end) return guarded[i].words;
  return NULL;
}

void crash_listen(void (*listener)(const char *, const uint64_t *, int)) {
  crash_listener = listener;
}

#if defined(__x86_64__)
static uintptr_t code_pointer(const ucontext_t *at) {
  return (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
}
static uintptr_t stack_pointer(const ucontext_t *at) {
  return (uintptr_t)at->uc_mcontext.gregs[REG_RSP];
}
#else
static uintptr_t code_pointer(const ucontext_t *at) { return (void)at, 0; }
static uintptr_t stack_pointer(const ucontext_t *at) { return (void)at, 0; }
#endif

static bool device_pointer_used(const siginfo_t *info, const ucontext_t *at) {
  if (info->si_code != SI_KERNEL) return address_is_device((uint64_t)(uintptr_t)info->si_addr);
#if defined(__x86_64__)
  for (int i = REG_R8; i <= REG_RCX; i++)
    if (address_is_device((uint64_t)at->uc_mcontext.gregs[i])) return true;
#else
  (void)at;
#endif
  return false;
}

static bool managed_memory_missed(const siginfo_t *info) {
  return info->si_code != SI_KERNEL && address_is_managed((uint64_t)(uintptr_t)info->si_addr);
}

static bool in_main_thread(void) { return gettid() == getpid(); }

/* Has the stack overflowed? The fault is in the stack's range, above the stack pointer or just
 * below it, where a call writes. */
static bool stack_used_up(const siginfo_t *info, const ucontext_t *at) {
  enum { JUST_BELOW = 65536 };
  uintptr_t address = (uintptr_t)info->si_addr, pointer = stack_pointer(at);
  return in_main_thread() && info->si_code > 0 && info->si_code != SI_KERNEL && pointer &&
         address < (uintptr_t)__libc_stack_end && address + JUST_BELOW >= pointer;
}

static const char *explain(int number, const siginfo_t *info, const ucontext_t *at) {
  switch (number) {
    case SIGFPE:
      return "host code divided by zero";
    case SIGILL:
      return "host code ran into an instruction that only stops it: the end of a function that "
             "returns no value, or code that can never be right";
    default:
      if (info->si_code > 0 && guarded_words((uintptr_t)info->si_addr))
        return guarded_words((uintptr_t)info->si_addr);
      if (info->si_code == SEGV_MAPERR && host_buffers_was_freed((uintptr_t)info->si_addr))
        return "host code used pinned memory after cudaFreeHost. Copy the result out of it first";
      if (managed_memory_missed(info))
        return "host code used managed memory outside its array, or after cudaFree";
      if (device_pointer_used(info, at))
        return "host code read or wrote through a device pointer. An address from cudaMalloc means "
               "nothing on the host: copy with cudaMemcpy, or do the work in a kernel.";
      if (stack_used_up(info, at))
        return "host code used up its stack: a recursion that does not end, or a large local array";
      return "host code used an address that is not the program's (segmentation fault): a null "
             "pointer, or an index far out of its array";
  }
}

static bool in_program(uintptr_t address) {
  return address > (uintptr_t)&__executable_start && address < (uintptr_t)&etext;
}

static int find_places(const siginfo_t *info, const ucontext_t *at, uint64_t *places, int max) {
  enum { WORDS = 512 };
  const uintptr_t *word = (const uintptr_t *)(stack_pointer(at) & ~(uintptr_t)7);
  const uintptr_t *end = __libc_stack_end;
  uintptr_t code = code_pointer(at);
  int count = 0;
  if (in_program(code)) places[count++] = code - load_bias;
  if (!word || !in_main_thread() || stack_used_up(info, at)) return count;
  for (int i = 0; i < WORDS && count < max && word < end; i++, word++)
    if (in_program(*word)) places[count++] = *word - 1 - load_bias; /* the call, not what follows */
  return count;
}

/* Was it a write? If the processor does not report it, assume so. */
static bool is_write(const ucontext_t *at) {
#if defined(__x86_64__)
  return at->uc_mcontext.gregs[REG_ERR] & 2;
#else
  (void)at;
  return true;
#endif
}

/* Was it an atomic instruction: one with a lock prefix, or xchg, which needs none? */
static bool is_atomic(const ucontext_t *at) {
#if defined(__x86_64__)
  enum { INSTRUCTION_FETCH = 16 };
  const unsigned char *code = (const unsigned char *)code_pointer(at);
  if (at->uc_mcontext.gregs[REG_ERR] & INSTRUCTION_FETCH) return false;
  for (;; code++) {
    if (*code == 0xf0) return true;
    bool prefix = *code == 0x66 || *code == 0x64 || *code == 0x65 || (*code & 0xf0) == 0x40;
    if (!prefix) return *code == 0x86 || *code == 0x87;
  }
#else
  (void)at;
  return false;
#endif
}

static void caught(int number, siginfo_t *info, void *context) {
  enum { MAX_PLACES = 16 };
  uint64_t places[MAX_PLACES];
  if (number == SIGSEGV && info->si_code == SEGV_ACCERR) {
    uintptr_t address = (uintptr_t)info->si_addr;
    bool pinned = host_buffers_touched(address, is_write(context)),
         shared = managed_touched(address, is_write(context), is_atomic(context));
    if (pinned || shared) return;
  }
  signal(number, SIG_DFL); /* returning from here runs into the same fault again, and dies */
  const char *message = explain(number, info, context);
  alarm(5); /* in case the crashed thread holds a lock that the report needs */
  if (crash_listener) {
    crash_listener(message, places, find_places(info, context, places, MAX_PLACES));
  } else {
    ssize_t written = write(STDERR_FILENO, message, strlen(message));
    written += write(STDERR_FILENO, "\n", 1);
    (void)written;
  }
  if (info->si_code <= 0) raise(number); /* the signal was sent: returning would not fault again */
}

static int note_bias(struct dl_phdr_info *program, size_t size, void *context) {
  (void)size, (void)context;
  load_bias = program->dlpi_addr;
  return 1; /* the first one is the program itself */
}

void crash_catch(void) {
  static char stack[65536];
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = caught, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  if (sigaltstack(&alternate, NULL) != 0) return;
  dl_iterate_phdr(note_bias, NULL);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction(numbers[i], &action, NULL);
}
