/* OpenGlCudaHelper.h: what CudaLife.cu of VirgilChen97/eecs468-game-of-life-cuda needs of it. */
#pragma once
#define checkCudaErrors(call) ((void)(call))
