/* config.h: what the configure scripts of SHOC and Altis would write. */
#define HAVE_GETTIMEOFDAY 1
#define restrict __restrict
