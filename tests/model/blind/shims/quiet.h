/* quiet.h: for programs that print all of their input and output. */
#include <cstdio>
#include <cuda_runtime.h>
#include <iostream>
#define printf(...) ((void)0)
