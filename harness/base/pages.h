/* pages.h: how the programs that a grading starts get their memory.
 *
 * It is gigabytes, used once, and page by page, 4 KiB at a time, the kernel takes a third of a
 * grading's time to hand it out. So glibc asks for pages of 2 MiB (hugetlb=1: "madvise" in
 * /sys/kernel/mm/transparent_hugepage/enabled) and grows the heap in steps of 32 MiB. Other C
 * libraries, and a glibc older than 2.35, pass over it. grade and harness/compile set it, too.
 */
#ifndef KIT_PAGES_H
#define KIT_PAGES_H

#define PAGES_VARIABLE "GLIBC_TUNABLES"
#define PAGES_VALUE "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432"

#endif
