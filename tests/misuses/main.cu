// Misuses of the CUDA API: what each call returns, when an error appears, what is left of it.
//
//   nvcc -cudart static -arch=sm_90 -o misuses tests/misuses/*.cu -lcuda
//   ./misuses [NAME...]     prints a row for each, or for those named
//   ./misuses --list        prints their names
//   ./misuses --about       prints what they run on
//
// A row has, with tabs between them: the name; the first error (number and name, or "died" and
// how); the call that returned it; what cudaGetLastError returns when the misuse is over, and what
// it returns then; whether the context still works, or the first call that fails; the codes of all
// calls tried, in order, with notes (=N) between them.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "misuse.h"

enum { REPORT = 3, SECONDS = 30 };  // where a case's process writes what happens

static misuse *first_misuse, *last_misuse;

misuse::misuse(const char *its_name, void (*its_run)()) : name(its_name), run(its_run), next(NULL) {
  (last_misuse ? last_misuse->next : first_misuse) = this;
  last_misuse = this;
}

static void report(const std::string &line) {
  std::string all = line + "\n";
  if (write(REPORT, all.data(), all.size()) < 0) _exit(3);
}
void misuse_call(const char *text) { report(std::string("call ") + text); }
void misuse_code(int code, const char *name) {
  report("code " + std::to_string(code) + " " + name);
}
cudaError_t misuse_code(cudaError_t code) {
  misuse_code((int)code, cudaGetErrorName(code));
  return code;
}
void misuse_note(long long value) { report("note =" + std::to_string(value)); }
void misuse_need(const char *text, cudaError_t code) {
  if (code == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", text, cudaGetErrorName(code));
  report(std::string("need ") + text + ": " + cudaGetErrorName(code));
  _exit(3);
}

static __global__ void write_answer(int *p) { *p = 42; }

// Does the context still work? Where not, the first call that fails.
static std::string context_state() {
  int *p = NULL, got = 0;
  cudaError_t code;
  if ((code = cudaMalloc(&p, sizeof *p))) return "cudaMalloc " + std::to_string((int)code);
  write_answer<<<1, 1>>>(p);
  if ((code = cudaGetLastError())) return "launch " + std::to_string((int)code);
  code = cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost);
  if (code) return "cudaMemcpy " + std::to_string((int)code);
  if (got != 42) return "wrong result";
  if ((code = cudaFree(p))) return "cudaFree " + std::to_string((int)code);
  return "works";
}

static int run_case(const char *name) {
  fcntl(REPORT, F_SETFD, FD_CLOEXEC);
  alarm(SECONDS);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (misuse *m = first_misuse; m; m = m->next) {
    if (strcmp(m->name, name) != 0) continue;
    m->run();
    misuse_call("cudaGetLastError() at the end");
    cudaError_t last = cudaGetLastError(), again = cudaGetLastError();
    report("last " + std::to_string((int)last) + "\t" + std::to_string((int)again));
    misuse_call("calls after it");
    report("context " + context_state());
    fflush(NULL);
    return 0;
  }
  return 3;
}

static std::string end_of(int status) {
  if (!WIFSIGNALED(status)) return "exit " + std::to_string(WEXITSTATUS(status));
  switch (WTERMSIG(status)) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGABRT:
      return "SIGABRT";
    case SIGALRM:
      return "no end";
    default:
      return "signal " + std::to_string(WTERMSIG(status));
  }
}

// What came of a case, from the lines that its process wrote, and its end.
static std::string row_of(const char *name, const std::string &lines, int status) {
  std::string call = "-", error, last = "-\t-", context = "-", codes, current;
  for (size_t at = 0, end; (end = lines.find('\n', at)) != std::string::npos; at = end + 1) {
    std::string line = lines.substr(at, end - at), what = line.substr(0, line.find(' '));
    std::string rest = line.substr(what.size() + 1);
    if (what == "call") current = rest;
    if (what == "code") {
      codes += (codes.empty() ? "" : " ") + rest.substr(0, rest.find(' '));
      if (error.empty() && rest.compare(0, 2, "0 ") != 0) error = rest, call = current;
    }
    if (what == "note") codes += (codes.empty() ? "" : " ") + rest;
    if (what == "last") last = rest;
    if (what == "context") context = rest;
    if (what == "need") error = "not tried", call = rest;
  }
  if (status != 0 && error != "not tried") {
    std::string end = end_of(status);
    codes += (codes.empty() ? "" : " ") + end;
    if (error.empty()) error = "died " + end, call = current;
    if (last[0] != '-') context = end + " in " + current;
  }
  if (error.empty()) error = "0 cudaSuccess";
  return std::string(name) + "\t" + error + "\t" + call + "\t" + last + "\t" + context + "\t" +
         codes + "\n";
}

static void print_row(const char *name) {
  int ends[2], status = 0;
  if (pipe(ends) != 0) exit(2);
  pid_t child = fork();
  if (child < 0) exit(2);
  if (child == 0) {
    close(ends[0]);
    if (ends[1] != REPORT && (dup2(ends[1], REPORT) < 0 || close(ends[1]) != 0)) _exit(3);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execl("/proc/self/exe", "misuses", "--case", name, (char *)NULL);
    _exit(3);
  }
  close(ends[1]);
  std::string lines;
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) lines.append(buffer, got);
  close(ends[0]);
  waitpid(child, &status, 0);
  std::string row = row_of(name, lines, status);
  if (write(STDOUT_FILENO, row.data(), row.size()) < 0) exit(2);
}

static void print_about() {
  cudaDeviceProp properties;
  int driver = 0, runtime = 0, pageable = 0, concurrent = 0;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) exit(2);
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0);
  cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0);
  printf(
      "# %s, driver for CUDA %d, runtime %d; pageable memory access %d, concurrent managed "
      "access %d\n",
      properties.name, driver, runtime, pageable, concurrent);
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--case") == 0) return run_case(argv[2]);
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    for (misuse *m = first_misuse; m; m = m->next) puts(m->name);
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "--about") == 0) {
    print_about();
    return 0;
  }
  for (int i = 1; i < argc; i++) print_row(argv[i]);
  for (misuse *m = first_misuse; m && argc == 1; m = m->next) print_row(m->name);
}
