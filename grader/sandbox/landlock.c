/* landlock.c: restricts a process to given files. See Documentation/userspace-api/landlock.rst of
 * the kernel, from which the values of newer versions come that older headers lack. */
#include "grader/sandbox/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif

struct ruleset {
  uint64_t files, network, scoped;
};
struct __attribute__((packed)) path_beneath {
  uint64_t allowed;
  int32_t folder;
};

enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };
enum {
  EXECUTE = 1 << 0,
  WRITE_FILE = 1 << 1,
  READ_FILE = 1 << 2,
  READ_DIR = 1 << 3,
  VERSION_1 = (1 << 13) - 1,
  REFER = 1 << 13,    /* 2: renaming and linking between folders */
  TRUNCATE = 1 << 14, /* 3 */
  IOCTL_DEV = 1 << 15 /* 5 */
};
enum { READ = EXECUTE | READ_FILE | READ_DIR };
enum { OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV };
enum { TCP = 3 };                 /* 4: bind and connect */
enum { SOCKETS_AND_SIGNALS = 3 }; /* 6 */

int landlock_version(void) {
  long version = syscall(__NR_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
  return version > 0 ? (int)version : 0;
}

static int add(int rules, const char *const *paths, uint64_t allowed) {
  for (; paths && *paths; paths++) {
    struct path_beneath rule = {allowed, open(*paths, O_PATH | O_CLOEXEC)};
    struct stat status;
    if (rule.folder < 0) {
      if (errno == ENOENT || errno == EACCES || errno == ENOTDIR) continue;
      return -1;
    }
    if (fstat(rule.folder, &status) == 0 && !S_ISDIR(status.st_mode)) rule.allowed &= OF_FILES;
    long failed = syscall(__NR_landlock_add_rule, rules, RULE_PATH_BENEATH, &rule, 0);
    close(rule.folder);
    if (failed) return -1;
  }
  return 0;
}

int landlock_restrict(const char *const *readable, const char *const *writable,
                      bool names_threads) {
  int version = landlock_version();
  if (!version) {
    errno = EOPNOTSUPP;
    return -1;
  }
  struct ruleset all = {VERSION_1, version >= 4 ? TCP : 0, version >= 6 ? SOCKETS_AND_SIGNALS : 0};
  if (version >= 2) all.files |= REFER;
  if (version >= 3) all.files |= TRUNCATE;
  if (version >= 5) all.files |= IOCTL_DEV;
  int rules = (int)syscall(__NR_landlock_create_ruleset, &all, sizeof all, 0);
  if (rules < 0) return -1;
  static const char *const threads[] = {"/proc/self/task", NULL};
  int result = add(rules, readable, READ) || add(rules, writable, all.files) ||
                       (names_threads &&
                        add(rules, threads, READ_FILE | WRITE_FILE | (all.files & TRUNCATE))) ||
                       syscall(__NR_landlock_restrict_self, rules, 0)
                   ? -1
                   : 0;
  int error = errno;
  close(rules);
  errno = error;
  return result;
}
