/* main.c: the grader's command line.
 *
 *     ./grade lab2                          grade the lab's own file
 *     ./grade lab2 --file F.cu              another one; --solution: the reference
 *     ./grade lab3 --sweep                  every block shape, or every value of a dimension
 *     ./grade lab2 --sizes 100,500,1000     time and speedup over the size
 *     ./grade lab2 --report report/         what is to be handed in, with charts
 *     ./grade lab4 --picture                where the memory accesses of a line go
 *     ./grade lab1 --dims M=64,N=64,K=64    one run on these sizes, for no points
 *     ./grade run prog.cu -- 1000           a program with a main of its own
 *     ./grade lab2 --gpu t4                 on another simulated GPU than an H100
 *     ./grade list | gpus | doctor
 *     ./grade conf lab2 --json              what was read of its lab.conf; --keys: what may be
 *     ./grade ceiling                       what the device can do at most
 *     ./grade class DIR                     a whole class: a program of its own, build/class
 *
 * Theory of operation. The grader is trusted, the runner is not. For a lab the grader reads
 * lab.conf (conf.c), has harness/compile make a runner of the student's file in a private folder
 * (build.c), and starts that runner once for every case (run.c), as a process with limits
 * (process.c). It gets inputs and shapes, and hands back outputs, launches and hazards (report.c),
 * all of which are checked; what is right, what is tolerated and what earns points stays here
 * (harness/problems, score.c). A reference solution is measured in the same way where an item is
 * relative to it (reference.c). The grade is then printed for people (card.c, table.c) or programs
 * (json.c). grading.c is the whole of that for one file; what is asked for on the command line is a
 * file each in commands/.
 *
 * Exit status: 0 full marks, 1 points lost, 2 the kit's or the machine's fault. */
#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/system.h"
#include "grader/commands/commands.h"
#include "grader/grading/grading.h"
#include "grader/sandbox/process.h"
#include "grader/show/show.h"

/* A class is graded by a program of its own, which needs libraries that nothing else does. */
static int exec_class(const struct kit *kit, char **argv) {
  char *program = kit_path(kit, "build/class");
  argv[1] = program;
  execv(program, argv + 1);
  die("%s: %s; `make class` builds it", program, strerror(errno));
}

/* gpu where a device and nvcc are; else sim. */
static const char *backend_here(void) {
  autofree char *nvcc = program_find("nvcc");
  bool both = nvcc && access("/dev/nvidiactl", F_OK) == 0;
  return both ? "gpu" : "sim";
}

int main(int argc, char **argv) {
  setlocale(LC_CTYPE, "");
  argp_err_exit_status = 2;
  struct kit kit;
  struct request request = {0};
  const char *command = argc > 1 ? argv[1] : "";
  bool task = argc == 4 && strcmp(command, "task") == 0, conf = strcmp(command, "conf") == 0,
       class = strcmp(command, "class") == 0, run = strcmp(command, "run") == 0;
  if (!task && !conf && !class && !run) request_parse(argc, argv, &request);
  kit_find(&kit);
  if (class) return exec_class(&kit, argv);
  if (request.gpu && strcmp(request.what, "gpus") != 0) use_gpu(&kit, request.gpu);
  if (!request.backend) request.backend = request.gpu ? "sim" : backend_here();
  kit.public = request.public;
  int status =
      task && strcmp(argv[3], "-") == 0     ? task_work(&kit, argv[2])
      : task                                ? task_run(&kit, argv[2], argv[3])
      : run                                 ? run_program(&kit, argc - 1, argv + 1)
      : conf                                ? conf_command(&kit, argc - 1, argv + 1)
      : strcmp(request.what, "list") == 0   ? list_labs(&kit)
      : strcmp(request.what, "gpus") == 0   ? list_gpus(&kit)
      : strcmp(request.what, "doctor") == 0 ? doctor(&kit)
      : strcmp(request.what, "ceiling") == 0
          ? ceiling_show(&kit, request.backend, request.json, request_is_stdout(request.json))
      : request.dims   ? run_once(&kit, &request)
      : request.sweep  ? sweep_lab(&kit, &request)
      : request.report ? report_lab(&kit, &request)
      : request.sizes  ? size_lab(&kit, &request)
                       : grade_lab(&kit, &request);
  kit_free(&kit);
  if (fflush(stdout) != 0 || ferror(stdout)) die("cannot write to stdout: %s", strerror(errno));
  return status;
}
