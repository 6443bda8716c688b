// lab6_times.cu: what the functions of lab 6's solution take, at the sizes of the notes that the
// course goes by (10^7 and 10^8 elements, 1 to 128 streams) and of the lab.
//
//     nvcc -std=c++17 -O2 -o times lab6_times.cu && ./times 9 100000000    on a GPU: medians of 9
//     harness/kcc -std=c++17 -O2 -o times lab6_times.cu && ./times 1 10000000
//
// Prints a table: function, elements, streams (0: it has none), ns. The arguments are how often to
// measure, and the most and the least elements.
#include "../../solutions/lab6_overlap/lab6.cu"

#include <functional>

static int runs;

static void measure(const char *name, int n, int streams,
                    const std::function<void(float *)> &work) {
  std::vector<float> times(runs + 1);
  for (float &ms : times) work(&ms);
  std::sort(times.begin() + 1, times.end()); // the first one warms up
  printf("%s\t%d\t%d\t%.0f\n", name, n, streams, 1e6 * times[1 + runs / 2]);
  fflush(stdout);
}

int main(int argc, char **argv) {
  runs = argc > 1 ? std::max(1, atoi(argv[1])) : 9;
  int most = argc > 2 ? atoi(argv[2]) : 100000000, least = argc > 3 ? atoi(argv[3]) : 0;
  puts("# function\telements\tstreams\tns");
  for (int n : {1 << 21, 10000000, 100000000}) {
    if (n > most || n < least) continue;
    std::vector<float> a(n, 1), b(n, 2), out(n);
    auto simple = [&](const char *name, auto function) {
      measure(name, n, 0, [&](float *ms) { function(a.data(), b.data(), out.data(), n, ms); });
    };
    auto streamed = [&](const char *name, auto function) {
      for (int streams : {1, 2, 4, 8, 10, 16, 20, 32, 64, 128})
        measure(name, n, streams,
                [&](float *ms) { function(a.data(), b.data(), out.data(), n, streams, ms); });
    };
    simple("add_pageable", add_pageable);
    simple("add_pinned", add_pinned);
    streamed("add_streams", add_streams);
    streamed("add_breadth_first", add_breadth_first);
    streamed("pageable_streams", pageable_streams);
    simple("add_halves", add_halves);
    simple("add_mapped", add_mapped);
    simple("add_managed", add_managed);
    simple("add_prefetched", add_prefetched);
  }
}
