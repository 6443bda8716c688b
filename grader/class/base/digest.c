/* digest.c: SHA-256 and SipHash, by OpenSSL's libcrypto. */
#include "grader/class/base/digest.h"

#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdio.h>

#include "grader/base/text.h"

void sha256(const void *bytes, size_t length, char hex[SHA256_HEX]) {
  uint8_t digest[32];
  if (!EVP_Digest(bytes, length, digest, NULL, EVP_sha256(), NULL))
    die("libcrypto cannot compute SHA-256");
  for (int i = 0; i < 32; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

uint64_t siphash(const uint8_t key[SIPHASH_KEY], const void *bytes, size_t length) {
  uint8_t digest[8];
  size_t size = sizeof digest, written;
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t("size", &size),
                               OSSL_PARAM_construct_end()};
  if (!EVP_Q_mac(NULL, "SIPHASH", NULL, NULL, params, key, SIPHASH_KEY, bytes, length, digest, size,
                 &written))
    die("libcrypto cannot compute SipHash");
  uint64_t hash = 0; /* the lowest byte first, on any machine */
  for (int i = 7; i >= 0; i--) hash = hash << 8 | digest[i];
  return hash;
}
