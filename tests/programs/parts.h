#pragma once
void launch(int *p, int n);  // sets p[0] to n - 1

template <class T>
__device__ void put_last(T *p, T value, int n) {
  p[n] = value;  // one too far
}
