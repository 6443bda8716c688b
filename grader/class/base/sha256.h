/* sha256.h: SHA-256 (FIPS 180-4), to tell submissions by what is in them. */
#ifndef KIT_CLASS_SHA256_H
#define KIT_CLASS_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* The digest as 64 hex digits and a NUL. */
void sha256(const void *bytes, size_t length, char hex[65]);

#endif
