// stopwatch.cpp: times chosen launches of a program that knows nothing of it, on a GPU. It is a
// library that goes ahead of the CUDA runtime (LD_PRELOAD; programs: nvcc -cudart shared).
//
// BLIND_WANTED is a file with a line for each launch to be timed: kernel, grid, block, occurrence,
// with tabs between; extents are X,Y,Z, and occurrence 0 is the program's first launch of that
// kernel in that shape. To BLIND_OUT the same is appended, with ns, min_ns, max_ns, single_ns,
// registers, local_bytes and the bytes that the program had allocated then. After the last of the
// wanted launches the program ends. With BLIND_PROFILE set nothing is timed: each of them is launched
// twice more before its own time, the second time where a profiler looks (ncu --profile-from-start
// off), and BLIND_OUT gets its line without the figures.
//
// The rule is that of ../README.md: launches back to back on the same arrays. Before them all that
// the program has allocated is copied, and after them put back, so that the program goes on from
// its own launch. Not put back: __device__ variables.
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>

void blind_wait(int blocks, long long cycles, cudaStream_t stream);  // wait.cu

extern "C" cudaError_t __cudaGetKernel(cudaKernel_t *, const void *);
extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t);

namespace {
enum { ROUNDS = 7, BATCH_NS = 2000000, MIN_BATCH = 4, MAX_BATCH = 400, HOST_NS = 6000 };

std::map<const void *, std::string> names;       // by the address or the handle of a kernel
struct array {
  size_t bytes;
  void *copy;  // NULL: none yet
};
std::map<void *, array> arrays;  // that the program has allocated
std::map<std::string, int> occurrences;          // of kernel, grid and block
std::set<std::string> wanted;
bool inside;  // the calls below are our own

[[noreturn]] void fail(const char *what) {
  fprintf(stderr, "stopwatch: %s\n", what);
  _exit(3);
}
void check(cudaError_t error) {
  if (error != cudaSuccess) fail(cudaGetErrorString(error));
}
template <typename F>
F *next(F *, const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) fail(name);
  return (F *)function;
}
const char *environment(const char *name) {
  const char *text = getenv(name);
  if (!text) fail(name);
  return text;
}

void read_wanted() {
  char line[4096];
  FILE *file = fopen(environment("BLIND_WANTED"), "r");
  if (!file) fail("BLIND_WANTED cannot be read");
  while (fgets(line, sizeof line, file)) wanted.insert(std::string(line, strcspn(line, "\n")));
  fclose(file);
}

// The function's own name: no namespace, no arguments, neither the template's nor the call's.
std::string plain_name(const char *mangled) {
  int status;
  char *text = abi::__cxa_demangle(mangled, NULL, NULL, &status);
  std::string name = text ? text : mangled, plain;
  free(text);
  int depth = 0;
  for (char c : name) {  // void ns::f<(int)4>(float *)
    if (c == '(' && !depth) break;
    depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (!depth && c != '>') plain += c;
  }
  return plain.substr(plain.find_last_of(": ") + 1);
}

struct launch {
  const void *function;
  dim3 grid, block;
  void **arguments;
  size_t dynamic_shared;
  cudaStream_t stream;
  cudaError_t (*call)(const launch &);
};

// ns of a launch among `count` back to back; queued: behind a kernel that lasts until all are.
double time_of(const launch &launch, int count, bool queued) {
  static cudaEvent_t from, to;
  if (!from) check(cudaEventCreate(&from)), check(cudaEventCreate(&to));
  for (int host_ns = HOST_NS;; host_ns *= 2) {
    if (queued) blind_wait(1, 2LL * (count + 4) * host_ns, launch.stream);
    check(cudaEventRecord(from, launch.stream));
    for (int i = 0; i < count; i++) check(launch.call(launch));
    check(cudaEventRecord(to, launch.stream));
    bool late = queued && cudaEventQuery(from) == cudaSuccess;
    cudaGetLastError();  // "not ready" is no error
    check(cudaEventSynchronize(to));
    float ms;
    check(cudaEventElapsedTime(&ms, from, to));
    if (!late || host_ns > 10 * HOST_NS) return ms * 1e6 / count;
  }
}

// 0.2 seconds of work: clocks are up.
void warm_up() {
  static bool warm;
  for (int i = 0; i < 200 && !warm; i++) blind_wait(132, 2000000, 0);
  check(cudaDeviceSynchronize());
  warm = true;
}

size_t copy_arrays(bool back) {
  size_t bytes = 0;
  for (auto &[at, array] : arrays) {
    if (!array.copy) check(cudaMalloc(&array.copy, array.bytes));
    void *to = back ? at : array.copy, *from = back ? array.copy : at;
    check(cudaMemcpy(to, from, array.bytes, cudaMemcpyDeviceToDevice));
    bytes += array.bytes;
  }
  check(cudaDeviceSynchronize());
  return bytes;
}

void profile(const launch &launch, const std::string &key) {
  check(cudaDeviceSynchronize());
  copy_arrays(false);
  check(launch.call(launch));
  check(cudaDeviceSynchronize());
  check(cudaProfilerStart());
  check(launch.call(launch));
  check(cudaDeviceSynchronize());
  check(cudaProfilerStop());
  copy_arrays(true);
  FILE *out = fopen(environment("BLIND_OUT"), "a");
  if (!out) fail("BLIND_OUT cannot be written");
  fprintf(out, "%s\t%s\n", environment("BLIND_PROGRAM"), key.c_str());
  fclose(out);
}

void measure(const launch &launch, const std::string &key) {
  warm_up();
  check(cudaDeviceSynchronize());
  size_t bytes = copy_arrays(false);
  double single[ROUNDS], ns[ROUNDS];
  time_of(launch, 1, false);
  for (double &n : single) n = time_of(launch, 1, false);
  std::sort(single, single + ROUNDS);
  int batch = (int)(BATCH_NS / single[ROUNDS / 2]);
  batch = std::max((int)MIN_BATCH, std::min((int)MAX_BATCH, batch));
  time_of(launch, batch, true);
  for (double &n : ns) n = time_of(launch, batch, true);
  std::sort(ns, ns + ROUNDS);
  copy_arrays(true);
  cudaFuncAttributes attributes = {};
  check(cudaFuncGetAttributes(&attributes, launch.function));
  FILE *out = fopen(environment("BLIND_OUT"), "a");
  if (!out) fail("BLIND_OUT cannot be written");
  fprintf(out, "%s\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%d\t%zu\t%zu\n", environment("BLIND_PROGRAM"),
          key.c_str(), ns[ROUNDS / 2], ns[0], ns[ROUNDS - 1], single[ROUNDS / 2],
          attributes.numRegs, attributes.localSizeBytes, bytes);
  fclose(out);
}

void look_at(const launch &launch) {
  static bool read;
  if (!read) read_wanted(), read = true;
  char key[1024];
  dim3 g = launch.grid, b = launch.block;
  auto name = names.find(launch.function);
  snprintf(key, sizeof key, "%s\t%u,%u,%u\t%u,%u,%u",
           name == names.end() ? "?" : name->second.c_str(), g.x, g.y, g.z, b.x, b.y, b.z);
  std::string whole = std::string(key) + "\t" + std::to_string(occurrences[key]++);
  if (!wanted.erase(whole)) return;
  inside = true;
  (getenv("BLIND_PROFILE") ? profile : measure)(launch, whole);
  inside = false;
  if (wanted.empty()) _exit(0);
}

void add_array(void *array, size_t bytes) {
  if (!inside && bytes) arrays[array] = {bytes, NULL};
}
void remove_array(void *array) {
  auto found = arrays.find(array);
  if (inside || found == arrays.end()) return;
  void *copy = found->second.copy;
  arrays.erase(found);
  inside = true;
  if (copy) check(cudaFree(copy));
  inside = false;
}
}  // namespace

extern "C" {
void __cudaRegisterFunction(void **module, const char *function, char *device_function,
                            const char *name, int limit, uint3 *thread, uint3 *block,
                            dim3 *block_size, dim3 *grid_size, int *warp_size) {
  names[function] = plain_name(name);
  using call = void(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *,
                    dim3 *, int *);
  next((call *)NULL, "__cudaRegisterFunction")(module, function, device_function, name, limit,
                                               thread, block, block_size, grid_size, warp_size);
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  cudaError_t error = next(__cudaGetKernel, "__cudaGetKernel")(kernel, function);
  auto name = names.find(function);
  if (error == cudaSuccess && name != names.end()) names[*kernel] = name->second;
  return error;
}

// What <<<>>> calls.
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t dynamic_shared, cudaStream_t stream) {
  static auto *real = next(__cudaLaunchKernel, "__cudaLaunchKernel");
  if (!inside)
    look_at({kernel, grid, block, arguments, dynamic_shared, stream, [](const launch &l) {
               return real((cudaKernel_t)l.function, l.grid, l.block, l.arguments,
                           l.dynamic_shared, l.stream);
             }});
  return real(kernel, grid, block, arguments, dynamic_shared, stream);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t dynamic_shared, cudaStream_t stream) {
  using call = cudaError_t(const void *, dim3, dim3, void **, size_t, cudaStream_t);
  static auto *real = next((call *)NULL, "cudaLaunchKernel");
  if (!inside)
    look_at({function, grid, block, arguments, dynamic_shared, stream, [](const launch &l) {
               return real(l.function, l.grid, l.block, l.arguments, l.dynamic_shared, l.stream);
             }});
  return real(function, grid, block, arguments, dynamic_shared, stream);
}

cudaError_t cudaMalloc(void **array, size_t bytes) {
  using call = cudaError_t(void **, size_t);
  cudaError_t error = next((call *)NULL, "cudaMalloc")(array, bytes);
  if (error == cudaSuccess) add_array(*array, bytes);
  return error;
}

cudaError_t cudaMallocManaged(void **array, size_t bytes, unsigned flags) {
  using call = cudaError_t(void **, size_t, unsigned);
  cudaError_t error = next((call *)NULL, "cudaMallocManaged")(array, bytes, flags);
  if (error == cudaSuccess) add_array(*array, bytes);
  return error;
}

cudaError_t cudaMallocPitch(void **array, size_t *pitch, size_t width, size_t height) {
  using call = cudaError_t(void **, size_t *, size_t, size_t);
  cudaError_t error = next((call *)NULL, "cudaMallocPitch")(array, pitch, width, height);
  if (error == cudaSuccess) add_array(*array, *pitch * height);
  return error;
}

cudaError_t cudaMallocAsync(void **array, size_t bytes, cudaStream_t stream) {
  using call = cudaError_t(void **, size_t, cudaStream_t);
  cudaError_t error = next((call *)NULL, "cudaMallocAsync")(array, bytes, stream);
  if (error == cudaSuccess) add_array(*array, bytes);
  return error;
}

cudaError_t cudaFree(void *array) {
  using call = cudaError_t(void *);
  remove_array(array);
  return next((call *)NULL, "cudaFree")(array);
}

cudaError_t cudaFreeAsync(void *array, cudaStream_t stream) {
  using call = cudaError_t(void *, cudaStream_t);
  remove_array(array);
  return next((call *)NULL, "cudaFreeAsync")(array, stream);
}
}
