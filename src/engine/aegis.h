/* SPDX-License-Identifier: Apache-2.0 */
/* AEGIS-256, an AEAD of the AES round function (Wu & Preneel, CAESAR portfolio; here as in
   draft-irtf-cfrg-aegis-aead), for processors that have that function as an instruction. Debian's
   libsodium (1.0.18) does not have it yet: from 1.0.19 on crypto_aead_aegis256 can take the place
   of this file. The key is random; a nonce is used once. */
#ifndef TAC_AEGIS_H
#define TAC_AEGIS_H

#include <stdbool.h>
#include <stddef.h>

enum { TAC_AEGIS_KEY = 32, TAC_AEGIS_NONCE = 32, TAC_AEGIS_TAG = 16 };

/* Can this processor? Nothing below may be called otherwise. */
bool tac_aegis_runs(void);
/* out and tag from `size` bytes; out may be the bytes themselves. Key, nonce and tag have the sizes
   above. beside: what is authenticated with them and not hidden. */
void tac_aegis_seal(const unsigned char *key, const unsigned char *nonce, const void *beside,
                    size_t beside_size, const void *bytes, size_t size, void *out,
                    unsigned char *tag);
/* The way back. False: it was not sealed so, and out is all 0. */
bool tac_aegis_open(const unsigned char *key, const unsigned char *nonce, const void *beside,
                    size_t beside_size, const void *bytes, size_t size, const unsigned char *tag,
                    void *out);

#endif
