// calibrate_timeline.cu: the figures of the timeline (sim/timeline), from what calibrate_host.cu
// and calibrate_link.cu have measured.
#include "calibrate.cuh"

#include <algorithm>

static double size_ns(const char *what, int kib) { return value(what, text("%d KiB", kib)); }
static double link_ns(const char *what) { return value("link of a chain", what); }
static double call(const char *what) { return value("host call", what); }
static double trip(const char *what) { return value("round trip", what); }

// Bytes a ns of the larger ones of two sizes, whatever each takes of its own.
static double rate(const char *what, int kib, int more_kib) {
  return (more_kib - kib) * 1024.0 / (size_ns(what, more_kib) - size_ns(what, kib));
}

static void print(const char *key, double v) { printf("%s = %.4g\n", key, v); }
static void print(const char *why, const char *key, double v) {
  printf("; %s\n", why);
  print(key, v);
}

static double launch, copy_call, issue, copy_issue, back;

static void describe_calls() {
  double kernel = value("launch beyond its blocks", "queued, 5 us") / 2,  // before it can be seen
      record = value("queued", "nothing between two events");
  launch = call("launch, idle");
  copy_call =
      std::max((call("copy in, launch, copy out, idle") - launch) / 2, call("copy from pinned"));
  double around = trip("launch, cudaDeviceSynchronize") - launch - kernel;
  back = around / 2;
  issue = std::max(100.0, back - (value("single launch", "empty") - launch - kernel - record));
  copy_issue = std::max(100.0, trip("cudaMemcpy to pinned, 4 bytes") - copy_call - back -
                                   link_ns("copy of 4 bytes out"));
  print("ns of the host: a launch; a copy from or to pinned memory, one on the device; a memset",
        "launch_ns", launch);
  print("copy_call_ns", copy_call);
  print("copy_on_device_call_ns", call("copy on the device"));
  print("fill_call_ns", call("memset"));
  print(
      "the record of an event with a time; one without, or a wait for it; a query; waiting for "
      "what is done",
      "record_call_ns", call("event record"));
  print("wait_call_ns", (call("event record, no timing") + call("stream wait event")) / 2);
  print("query_ns", call("stream query, not done"));
  print("synchronize_ns", call("stream synchronize, idle"));
  print("cudaLaunchHostFunc; cudaMalloc; cudaFree", "function_call_ns", call("host function"));
  print("allocate_ns", size_ns("cudaMalloc", 1 << 14));
  print("free_ns", size_ns("cudaMalloc, freed", 1 << 14));
  print("the same of up to 1 MiB, where there is room beside others", "small_allocate_ns",
        size_ns("cudaMalloc", 4));
  print("small_free_ns", size_ns("cudaMalloc, freed", 4));
  print("bytes of pinned memory that are allocated in a ns; that are freed", "pin_per_ns",
        262144 * 1024.0 / size_ns("cudaMallocHost", 262144));
  print("unpin_per_ns", 262144 * 1024.0 / size_ns("cudaMallocHost, freed", 262144));
  double per_ns = rate("cudaHostRegister", 1024, 262144);
  print("cudaHostRegister: ns, and bytes a ns; cudaHostUnregister", "register_ns",
        size_ns("cudaHostRegister", 1024) - 1024 * 1024 / per_ns);
  print("register_per_ns", per_ns);
  per_ns = rate("cudaHostRegister, freed", 1024, 262144);
  print("unregister_ns", size_ns("cudaHostRegister, freed", 1024) - 1024 * 1024 / per_ns);
  print("unregister_per_ns", per_ns);
  print(
      "ns until the device begins with what a call has issued: a record; a kernel; a copy; until "
      "the host knows that work has ended",
      "issue_ns", issue);
  print("kernel_issue_ns", back);
  print("copy_issue_ns", copy_issue);
  print("return_ns", back);
  print("ns from the start of a kernel to that of one in another stream", "stagger_ns",
        (value("kernels side by side", "128 of one block, 200 us") -
         value("kernels side by side", "1 of one block, 200 us")) /
            127);
  double one = link_ns("kernel of 20 us");
  print(
      "from the end of work to the start of what waits for it: between SMs and copies; between "
      "copies of two streams or both ways; where it waits for an event, more",
      "engine_switch_ns",
      (link_ns("kernel, copy of 4096 bytes out") - one - link_ns("copy of 4096 bytes out")) / 2);
  print("copy_switch_ns", link_ns("copy of 16384 bytes in, then one in another stream") / 2 -
                              link_ns("copy of 16384 bytes in"));
  print("event_hop_ns", (link_ns("kernel in another stream and back") - one) / 2);
  print("the record of an event with a time; a host function", "record_ns", record);
  print("function_ns", link_ns("kernel, host function") - one);
  printf(
      "; queues that streams share (CUDA_DEVICE_MAX_CONNECTIONS); kernels at a time (CUDA C++ "
      "Programming Guide, \"Concurrent Kernel Execution\")\nconnections = 8\nkernels = 128\n"
      "; groups of streams that a copy engine serves by turns\ncopy_groups = 4\n");
}

// A copy of 4 MiB beside a kernel that lasts many times as long, which takes what is said at the
// most, and a kernel beside a longer copy.
static void describe_sharing(double link) {
  double copies = 0, kernels = 0;
  for (const char *does : {"reads", "writes", "moves"})
    for (const char *way : {"in", "out"}) {
      double alone = size_ns(text("kernel %s mapped memory", does).c_str(), 1 << 15),
             beside = size_ns(text("kernel %s mapped memory beside a copy %s", does, way).c_str(),
                              1 << 15),
             end = size_ns(text("copy %s beside a kernel that %s mapped memory", way, does).c_str(),
                           1 << 12),
             left = std::max(0.0, end - alone) * link;  // bytes, when the kernel has ended
      copies += std::max(0.0, 4 * 1024 * 1024 - left) / (alone * link) / 6;
      kernels += std::min(1.0, alone / beside) / 6;
    }
  print("beside each other: share of its speed that a copy has, and that such a kernel has",
        "copy_beside_mapped", std::max(.01, copies));
  print("mapped_beside_copy", kernels);
}

static void describe_copies() {
  double in = rate("copy from pinned", 1 << 14, 1 << 18),
         both = 2 * (double)(128 << 20) / value("both ways at once", "131072 KiB");
  print("copies: ns of each, to the device and to the host; bytes that go along with the command",
        "copy_in_ns", size_ns("copy from pinned", 16) - 16384 / in);
  print("copy_out_ns", size_ns("copy to pinned", 16) - 16384 / in);
  printf("inline_bytes = 1024\n");
  print("the link, bytes a ns: one way; both ways at once, in all", "link_bytes_per_ns", in);
  print("link_both_per_ns", both);
  const char *from = "cudaMemcpy from pageable", *to = "cudaMemcpy to pageable";
  double fixed = size_ns("cudaMemcpyAsync from pageable", 1),
         near = (1 << 20) / (size_ns(from, 1 << 10) - fixed), far = rate(from, 1 << 16, 1 << 18),
         bytes = 0;
  if (near > far * 1.01)
    bytes = (size_ns(from, 1 << 16) - fixed - (1 << 26) / far) / (1 / near - 1 / far);
  print("from pageable memory: ns of each, bytes a ns up to so many bytes, and of those beyond",
        "pageable_in_ns", fixed);
  print("pageable_near_bytes", std::min(std::max(bytes, 1.0 * (1 << 20)), 1.0 * (1 << 26)));
  print("pageable_near_per_ns", near);
  print("pageable_far_per_ns", std::min(near, far));
  double out = rate(to, 1 << 16, 1 << 18),
         first = std::max(100.0, size_ns(to, 1) - copy_call - copy_issue - back);
  print("to pageable memory: ns of each, ns more of a large one, bytes a ns", "pageable_out_ns",
        first);
  print("pageable_out_start_ns", std::max(1.0, size_ns(to, 1 << 12) - copy_call - copy_issue -
                                                   back - first - (1 << 22) / out));
  print("pageable_out_per_ns", out);
  printf(
      "; bytes of a copy from pageable memory that is on its way when the call returns\n"
      "staging_bytes = 1048576\n");
  const char *reads = "kernel reads mapped memory", *moves = "kernel moves mapped memory";
  double mapped = rate(reads, 1 << 10, 1 << 15);
  print("accesses of kernels to mapped memory: ns more, bytes a ns one way", "mapped_ns",
        std::max(1.0, size_ns(reads, 1 << 10) - (1 << 20) / mapped));
  print("mapped_per_ns", mapped);
  mapped = 2 * rate(moves, 1 << 10, 1 << 15);
  print("both ways: ns more, bytes a ns in all", "mapped_both_ns",
        std::max(1.0, size_ns(moves, 1 << 10) - (2 << 20) / mapped));
  print("mapped_both_per_ns", mapped);
  describe_sharing(in);
}

static void describe_pages() {
  const char *first = "kernel reads managed memory of the host", *again = "kernel reads it again",
             *in = "managed memory is fetched to the device",
             *out = "managed memory is fetched to the host";
  double page = size_ns(first, 4) - size_ns(again, 4), bytes = rate(first, 1 << 14, 1 << 18);
  print(
      "managed memory that a kernel faults on: ns of the first page, ns more for each doubling "
      "of the bytes, bytes a ns",
      "fault_ns", page);
  print(
      "fault_more_ns",
      std::max(1.0,
               (size_ns(first, 1 << 10) - size_ns(again, 1 << 10) - page - (1 << 20) / bytes) / 8));
  print("fault_per_ns", bytes);
  print("bytes a ns that host code gets back by faults, as it changes something in each page",
        "host_fault_per_ns",
        (16 << 20) / size_ns("host changes managed memory of the device", 1 << 14));
  print(
      "bytes a ns of pages that a prefetch has moved to the host, as host code first touches them",
      "host_map_per_ns", rate("host touches managed memory fetched to it", 1 << 14, 1 << 18));
  print("prefetches: ns of each, bytes a ns to the device, to the host", "fetch_ns",
        std::max(1.0, size_ns(in, 4) - copy_issue - back));
  print("fetch_in_per_ns", rate(in, 1 << 14, 1 << 18));
  print("fetch_out_per_ns", rate(out, 1 << 14, 1 << 18));
  print("copies on the device and fills: ns of each, bytes a ns", "copy_on_device_ns",
        size_ns("copy on the device", 64));
  print("copy_on_device_per_ns", rate("copy on the device", 1 << 16, 1 << 18));
  print("fill_ns", link_ns("memset of 4 bytes"));
  print("fill_per_ns", rate("memset", 1 << 16, 1 << 18));
}

void describe_timeline() {
  printf("[timeline]\n");
  describe_calls();
  describe_copies();
  describe_pages();
}
