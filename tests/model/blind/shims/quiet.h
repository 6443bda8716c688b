/* quiet.h: for programs that print all of their input and output. */
#include <cuda_runtime.h>
#include <cstdio>
#include <iostream>
#define printf(...) ((void)0)
