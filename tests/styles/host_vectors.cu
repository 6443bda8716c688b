// The C++ library on the host: a std::vector of work items is copied to the device; std::fabs in the kernel.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

struct Item {
  int row, column, rows, columns;
};

__global__ void product(const Item *items, const float *A, const float *B, float *C, int N, int K) {
  const Item item = items[blockIdx.x];
  for (int i = threadIdx.x; i < item.rows * item.columns; i += blockDim.x) {
    int row = item.row + i / item.columns, column = item.column + i % item.columns;
    float sum = 0, largest = 0;
    for (int k = 0; k < K; k++) {
      float t = A[row * K + k] * B[k * N + column];
      sum += t;
      largest = max(largest, std::fabs(t));
    }
    C[row * N + column] = largest == 0.0f ? 0.0f : sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  using namespace std;
  auto begin = chrono::steady_clock::now();
  vector<Item> items;
  for (int row = 0; row < M; row += 32)
    for (int column = 0; column < N; column += 32)
      items.push_back({row, column, min(32, M - row), min(32, N - column)});
  sort(items.begin(), items.end(), [](const Item &a, const Item &b) { return a.column < b.column; });
  Item *device;
  cudaMalloc(&device, items.size() * sizeof(Item));
  cudaMemcpy(device, items.data(), items.size() * sizeof(Item), cudaMemcpyHostToDevice);
  product<<<items.size(), 128>>>(device, A, B, C, N, K);
  cudaFree(device);
  string text = to_string(items.size()) + " tiles";
  printf("%s in %.3f s\n", text.c_str(), chrono::duration<double>(chrono::steady_clock::now() - begin).count());
  cout << "std::accumulate: "
       << accumulate(items.begin(), items.end(), 0, [](int n, const Item &i) { return n + i.rows * i.columns; }) << endl;
}
