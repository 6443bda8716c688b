// children.h: a kernel of another file.
__global__ void from_elsewhere(int *to);
