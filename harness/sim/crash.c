/* crash.c: see crash.h.
 *
 * Device addresses are no addresses of the host, so that dereferencing one faults. Where the
 * processor gives the faulting address it is looked at; for a non-canonical address x86-64 gives
 * none (si_code is SI_KERNEL), and then a register that holds a device address tells.
 */
#include "crash.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <ucontext.h>
#endif

#include "device.h"

static const char message[] =
    "host code read or wrote through a device pointer. An address from cudaMalloc means nothing on "
    "the host: copy with cudaMemcpy, or do the work in a kernel.";

static void (*crash_listener)(const char *message);

void crash_listen(void (*listener)(const char *)) { crash_listener = listener; }

static bool device_pointer_used(const siginfo_t *info, void *context) {
  if (info->si_code != SI_KERNEL) return device_owns((uint64_t)(uintptr_t)info->si_addr);
#if defined(__x86_64__)
  const ucontext_t *at = context;
  for (int i = REG_R8; i <= REG_RCX; i++)
    if (device_owns((uint64_t)at->uc_mcontext.gregs[i])) return true;
#else
  (void)context;
#endif
  return false;
}

static void caught(int number, siginfo_t *info, void *context) {
  signal(number, SIG_DFL); /* returning from here runs into the same fault again, and dies */
  if (!device_pointer_used(info, context)) return;
  alarm(5); /* should the crash have left a lock taken that the report needs */
  if (crash_listener) {
    crash_listener(message);
  } else {
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    written += write(STDERR_FILENO, "\n", 1);
    (void)written;
  }
}

void crash_catch(void) {
  static char stack[65536];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = caught, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  if (sigaltstack(&alternate, NULL) != 0) return;
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
}
