/* confine.c: a seccomp filter, made by libseccomp.
 *
 * The filter is a list of refusals: what is not on it works as ever. It says no to what reaches
 * other processes, the network, the kernel's rarely used and often broken parts, and to ways of
 * taking memory that no limit counts. Files are Landlock's matter (landlock.c), except for what
 * Landlock does not govern: modes, owners, times. */
#include "grader/sandbox/inside.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Nobody needs these. */
static const int never[] = {
    /* other processes */
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
    SCMP_SYS(process_madvise), SCMP_SYS(process_mrelease), SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(tkill), SCMP_SYS(migrate_pages), SCMP_SYS(move_pages),
    SCMP_SYS(sched_setattr), SCMP_SYS(sched_setparam), SCMP_SYS(sched_setscheduler),
    SCMP_SYS(setpriority), SCMP_SYS(ioprio_set),
    /* the network: what is inherited works */
    SCMP_SYS(connect),
    /* namespaces and file systems */
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(chroot), SCMP_SYS(pivot_root), SCMP_SYS(mount),
    SCMP_SYS(umount), SCMP_SYS(umount2), SCMP_SYS(fsopen), SCMP_SYS(fsmount), SCMP_SYS(fspick),
    SCMP_SYS(fsconfig), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(mount_setattr),
    SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(quotactl), SCMP_SYS(quotactl_fd),
    SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at), SCMP_SYS(fanotify_init),
    SCMP_SYS(fanotify_mark), SCMP_SYS(mknod), SCMP_SYS(mknodat),
    /* the kernel */
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(keyctl), SCMP_SYS(add_key),
    SCMP_SYS(request_key), SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module),
    SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(iopl), SCMP_SYS(ioperm),
    SCMP_SYS(modify_ldt), SCMP_SYS(syslog), SCMP_SYS(acct), SCMP_SYS(reboot), SCMP_SYS(vhangup),
    SCMP_SYS(sethostname), SCMP_SYS(setdomainname), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime),
    SCMP_SYS(adjtimex), SCMP_SYS(clock_adjtime), SCMP_SYS(personality), SCMP_SYS(lookup_dcookie),
    SCMP_SYS(nfsservctl), SCMP_SYS(_sysctl), SCMP_SYS(uselib), SCMP_SYS(memfd_secret),
    /* memory that outlives a process */
    SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(shmctl), SCMP_SYS(msgget), SCMP_SYS(msgsnd),
    SCMP_SYS(semget), SCMP_SYS(semop), SCMP_SYS(semtimedop), SCMP_SYS(mq_open)};

/* A submission starts no processes. */
static const int processes[] = {SCMP_SYS(fork), SCMP_SYS(vfork)};

/* ... and changes nothing about files, whoever owns them. */
static const int files[] = {
    SCMP_SYS(chmod),        SCMP_SYS(fchmod),    SCMP_SYS(fchmodat),    SCMP_SYS(chown),
    SCMP_SYS(fchown),       SCMP_SYS(lchown),    SCMP_SYS(fchownat),    SCMP_SYS(utime),
    SCMP_SYS(utimes),       SCMP_SYS(utimensat), SCMP_SYS(futimesat),   SCMP_SYS(setxattr),
    SCMP_SYS(lsetxattr),    SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr),
    SCMP_SYS(fremovexattr), SCMP_SYS(truncate),  SCMP_SYS(link),        SCMP_SYS(linkat),
    SCMP_SYS(symlink),      SCMP_SYS(symlinkat), SCMP_SYS(flock)};

/* What the driver of a GPU asks for and a simulated one does not: memory files are counted by no
 * limit but a cgroup's. */
static const int no_gpu[] = {SCMP_SYS(memfd_create), SCMP_SYS(socketpair), SCMP_SYS(inotify_init),
                             SCMP_SYS(inotify_init1)};

/* ... and CUDA, when it starts, makes a local socket by which others could ask for its memory. */
static const int sockets[] = {SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept),
                              SCMP_SYS(accept4)};

static bool refuse(scmp_filter_ctx filter, const int *calls, size_t count) {
  for (size_t i = 0; i < count; i++) {
    /* A negative number is a call that this processor does not have. */
    if (calls[i] >= 0 && seccomp_rule_add_exact(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 0) != 0)
      return false;
  }
  return true;
}

/* The call's first argument may only be this number. */
static bool only(scmp_filter_ctx filter, int call, scmp_datum_t number) {
  return seccomp_rule_add_exact(filter, SCMP_ACT_ERRNO(EPERM), call, 1,
                                SCMP_A0_32(SCMP_CMP_NE, number)) == 0;
}

/* Sockets of a family other than this may not be made; none if it is -1. */
static bool only_sockets(scmp_filter_ctx filter, int family) {
  if (family < 0)
    return seccomp_rule_add_exact(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 0) == 0 &&
           refuse(filter, sockets, COUNT(sockets));
  return only(filter, SCMP_SYS(socket), (scmp_datum_t)family);
}

static bool add_rules(scmp_filter_ctx filter, enum confinement confinement) {
  static const unsigned namespaces[] = {CLONE_NEWNS,  CLONE_NEWUSER, CLONE_NEWPID,   CLONE_NEWNET,
                                        CLONE_NEWIPC, CLONE_NEWUTS,  CLONE_NEWCGROUP};
  /* 32-bit and x32 calls, whose numbers mean something else */
  bool good = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM)) == 0 &&
              refuse(filter, never, COUNT(never)) &&
              only_sockets(filter, confinement == CONFINE_GPU ? AF_UNIX : -1);
  /* The flags of clone3 cannot be seen from here: without it, clone is used. */
  good = good && seccomp_rule_add_exact(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
         /* typing into somebody's terminal */
         seccomp_rule_add_exact(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                                SCMP_A1_32(SCMP_CMP_EQ, TIOCSTI)) == 0;
  for (size_t i = 0; good && i < COUNT(namespaces); i++)
    good = seccomp_rule_add_exact(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                  SCMP_A0(SCMP_CMP_MASKED_EQ, namespaces[i], namespaces[i])) == 0;
  if (!good || confinement == CONFINE_TOOLS) return good;
  scmp_datum_t self = (scmp_datum_t)getpid();
  good = refuse(filter, processes, COUNT(processes)) && refuse(filter, files, COUNT(files)) &&
         seccomp_rule_add_exact(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)) == 0 &&
         only(filter, SCMP_SYS(kill), self) && only(filter, SCMP_SYS(tgkill), self) &&
         only(filter, SCMP_SYS(prlimit64), 0 /* who calls */);
  if (confinement == CONFINE_RUNNER) good = good && refuse(filter, no_gpu, COUNT(no_gpu));
  return good;
}

int confine_process(enum confinement confinement) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) {
    errno = ENOMEM;
    return -1;
  }
  errno = EINVAL;
  int result = add_rules(filter, confinement) ? 0 : -1;
  if (result == 0) {
    int error = -seccomp_load(filter);
    if (error) {
      errno = error;
      result = -1;
    }
  }
  int error = errno;
  seccomp_release(filter);
  errno = error;
  return result;
}
