/* digest.h: digests by OpenSSL's libcrypto: SHA-256 of files, SipHash for students' pseudonyms. */
#ifndef KIT_CLASS_DIGEST_H
#define KIT_CLASS_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_HEX = 65, SIPHASH_KEY = 16 };

/* SHA-256 (FIPS 180-4) as 64 hex digits and a NUL. */
void sha256(const void *bytes, size_t length, char hex[SHA256_HEX]);

/* SipHash-2-4, 64 bits: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012. */
uint64_t siphash(const uint8_t key[SIPHASH_KEY], const void *bytes, size_t length);

#endif
