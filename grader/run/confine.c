/* confine.c: a seccomp filter around a student's program; see confine.h.
 *
 * The program runs as the same user as the grader, so it could kill it, trace it, or leave
 * processes behind that outrun the clean-up. None of that is of any use to a solution of a lab.
 * The filter is a list of refusals: what is not on it works as ever. */
#include "confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define KIT_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define KIT_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef KIT_AUDIT_ARCH

#define FIELD(name) (unsigned)offsetof(struct seccomp_data, name)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW RETURN(SECCOMP_RET_ALLOW)
/* If the call is number, the next `count` statements decide. */
#define ON(number, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, count)
#define REFUSED(number) ON(number, 1), REFUSE
/* The call may only name this process, with its first argument. */
#define OWN(number, pid) \
  ON(number, 4), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, pid, 0, 1), ALLOW, REFUSE

void confine_process(void) {
  unsigned self = (unsigned)getpid();
  struct sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, KIT_AUDIT_ARCH, 1, 0),
      REFUSE,
      LOAD(nr),
#ifdef __x86_64__
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), /* the x32 numbers */
      REFUSE,
      REFUSED(__NR_fork),
      REFUSED(__NR_vfork),
#endif
      /* A thread is fine. The flags of clone3 cannot be seen from here: without it, clone is used.
       */
      ON(__NR_clone3, 1),
      RETURN(SECCOMP_RET_ERRNO | ENOSYS),
      ON(__NR_clone, 4),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
      ALLOW,
      REFUSE,
      OWN(__NR_kill, self),
      OWN(__NR_tgkill, self),
      ON(__NR_prlimit64, 5),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 0, 1),
      ALLOW,
      REFUSE,
      REFUSED(__NR_tkill),
      REFUSED(__NR_rt_sigqueueinfo),
      REFUSED(__NR_rt_tgsigqueueinfo),
      REFUSED(__NR_pidfd_send_signal),
#ifdef __NR_pidfd_getfd
      REFUSED(__NR_pidfd_getfd),
#endif
      REFUSED(__NR_ptrace),
      REFUSED(__NR_process_vm_readv),
      REFUSED(__NR_process_vm_writev),
      ALLOW,
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#else

void confine_process(void) {}

#endif
