// styles.cu: the launches of styles.tsv: the solutions and every correct product of tests/styles at a size that is no multiple of
// anything, each in a namespace of its own.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <iostream>
#include <numeric>
#include <stdint.h>
#include <string>
#include <type_traits>
#include <vector>

#include "launches.h"

namespace lab1 {
#include "../../solutions/lab1_global/lab1.cu"
}
#undef CHECK
namespace lab2 {
#include "../../solutions/lab2_tiled/lab2.cu"
}
#undef CHECK
namespace array_pointers {
#include "../styles/array_pointers.cu"
}
namespace constant_dims {
#include "../styles/constant_dims.cu"
}
namespace control_flow {
#include "../styles/control_flow.cu"
}
namespace double_buffer {
#include "../styles/double_buffer.cu"
}
namespace double_sum {
#include "../styles/double_sum.cu"
}
#undef CHECK
namespace dynamic_shared {
#include "../styles/dynamic_shared.cu"
}
namespace float4_loads {
#include "../styles/float4_loads.cu"
}
namespace float4_shared {
#include "../styles/float4_shared.cu"
}
namespace functions {
#include "../styles/functions.cu"
}
namespace functor {
#include "../styles/functor.cu"
}
namespace grid_stride {
#include "../styles/grid_stride.cu"
}
namespace host_staging {
#include "../styles/host_staging.cu"
}
namespace host_vectors {
#include "../styles/host_vectors.cu"
}
namespace integer_tricks {
#include "../styles/integer_tricks.cu"
}
namespace kernel_pointer {
#include "../styles/kernel_pointer.cu"
}
namespace lambda {
#include "../styles/lambda.cu"
}
namespace large_dynamic_shared {
#include "../styles/large_dynamic_shared.cu"
}
namespace last_block_adds {
#include "../styles/last_block_adds.cu"
}
namespace naive {
#include "../styles/naive.cu"
}
namespace one_dimensional {
#include "../styles/one_dimensional.cu"
}
namespace registers_4x4 {
#include "../styles/registers_4x4.cu"
}
namespace registers_8x8 {
#include "../styles/registers_8x8.cu"
}
#undef CEIL_DIV
namespace row_in_shared {
#include "../styles/row_in_shared.cu"
}
#undef PIECE
namespace shuffle_broadcast {
#include "../styles/shuffle_broadcast.cu"
}
namespace split_k_atomic {
#include "../styles/split_k_atomic.cu"
}
namespace streams_events {
#include "../styles/streams_events.cu"
}
namespace templates {
#include "../styles/templates.cu"
}
namespace tiled {
#include "../styles/tiled.cu"
}
#undef TILE
namespace transposed_scratch {
#include "../styles/transposed_scratch.cu"
}
#undef TILE
namespace volatile_warp {
#include "../styles/volatile_warp.cu"
}
namespace warp_shuffle {
#include "../styles/warp_shuffle.cu"
}
namespace warp_votes {
#include "../styles/warp_votes.cu"
}
namespace z_order {
#include "../styles/z_order.cu"
}

extern "C" void launch_styles(void) {
  enum { M = 100, N = 90, K = 70 };
  static const struct {
    const char *name;
    void (*matmul)(const float *, const float *, float *, int, int, int);
  } styles[] = {
      {"lab1", lab1::matmul},
      {"lab2", lab2::matmul},
      {"array_pointers", array_pointers::matmul},
      {"constant_dims", constant_dims::matmul},
      {"control_flow", control_flow::matmul},
      {"double_buffer", double_buffer::matmul},
      {"double_sum", double_sum::matmul},
      {"dynamic_shared", dynamic_shared::matmul},
      {"float4_loads", float4_loads::matmul},
      {"float4_shared", float4_shared::matmul},
      {"functions", functions::matmul},
      {"functor", functor::matmul},
      {"grid_stride", grid_stride::matmul},
      {"host_staging", host_staging::matmul},
      {"host_vectors", host_vectors::matmul},
      {"integer_tricks", integer_tricks::matmul},
      {"kernel_pointer", kernel_pointer::matmul},
      {"lambda", lambda::matmul},
      {"large_dynamic_shared", large_dynamic_shared::matmul},
      {"last_block_adds", last_block_adds::matmul},
      {"naive", naive::matmul},
      {"one_dimensional", one_dimensional::matmul},
      {"registers_4x4", registers_4x4::matmul},
      {"registers_8x8", registers_8x8::matmul},
      {"row_in_shared", row_in_shared::matmul},
      {"shuffle_broadcast", shuffle_broadcast::matmul},
      {"split_k_atomic", split_k_atomic::matmul},
      {"streams_events", streams_events::matmul},
      {"templates", templates::matmul},
      {"tiled", tiled::matmul},
      {"transposed_scratch", transposed_scratch::matmul},
      {"volatile_warp", volatile_warp::matmul},
      {"warp_shuffle", warp_shuffle::matmul},
      {"warp_votes", warp_votes::matmul},
      {"z_order", z_order::matmul},
  };
  float *a, *b, *c;
  if (cudaMalloc(&a, M * K * sizeof(float)) || cudaMalloc(&b, K * N * sizeof(float)) ||
      cudaMalloc(&c, M * N * sizeof(float)) || cudaMemset(a, 0, M * K * sizeof(float)) ||
      cudaMemset(b, 0, K * N * sizeof(float)))
    exit(2);
  for (auto &style : styles) {
    next_launch(style.name);
    style.matmul(a, b, c, M, N, K);
  }
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
