/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of 32-bit integers on the paths of x86; included at the top of a kernel's NAME_path.h,
   where LEVEL > 0.
     INTS, LANES               a register and how many numbers it has
     OP(name)                  an intrinsic function without its prefix: OP(add_epi32)(a, b)
     LOAD, STORE               of any alignment
     LOAD_FIRST, STORE_FIRST   only the first `many` numbers, 1 .. LANES, the others 0: memory may
                               end there
     ALL_64(x)                 x in all 64-bit numbers
     MORE(a, b, yes, no)       yes where a > b, else no; MORE_64 for 64-bit numbers
     SAME(a, b, yes, no)       yes where a == b, else no
     ADD_PAIRS(acc, a, b)      acc + a_even b_even + a_odd b_odd, a and b of 16-bit numbers */
#undef INTS
#undef LANES
#undef OP
#undef LOAD
#undef STORE
#undef LOAD_FIRST
#undef STORE_FIRST
#undef MORE
#undef MORE_64
#undef SAME
#undef ALL_64
#undef ADD_PAIRS

#define LANES (BYTES / 4)

#if LEVEL == 1

#define INTS __m256i
#define OP(name) _mm256_##name
#define LOAD(at) _mm256_loadu_si256((const __m256i *)(const void *)(at))
#define STORE(at, value) _mm256_storeu_si256((__m256i *)(void *)(at), value)
#define FIRST(many)                                                                                \
    _mm256_cmpgt_epi32(_mm256_set1_epi32(many), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define LOAD_FIRST(many, at) _mm256_maskload_epi32((const int *)(const void *)(at), FIRST(many))
#define STORE_FIRST(many, at, value) _mm256_maskstore_epi32((int *)(void *)(at), FIRST(many), value)
#define MORE(a, b, yes, no) _mm256_blendv_epi8(no, yes, _mm256_cmpgt_epi32(a, b))
#define MORE_64(a, b, yes, no) _mm256_blendv_epi8(no, yes, _mm256_cmpgt_epi64(a, b))
#define ALL_64(x) _mm256_set1_epi64x(x)
#define SAME(a, b, yes, no) _mm256_blendv_epi8(no, yes, _mm256_cmpeq_epi32(a, b))
#define ADD_PAIRS(acc, a, b) _mm256_add_epi32(acc, _mm256_madd_epi16(a, b))

#else

#define INTS __m512i
#define OP(name) _mm512_##name
#define LOAD(at) _mm512_loadu_si512(at)
#define STORE(at, value) _mm512_storeu_si512(at, value)
#define LOAD_FIRST(many, at) _mm512_maskz_loadu_epi32((__mmask16)((1u << (many)) - 1), at)
#define STORE_FIRST(many, at, value)                                                               \
    _mm512_mask_storeu_epi32(at, (__mmask16)((1u << (many)) - 1), value)
#define MORE(a, b, yes, no) _mm512_mask_mov_epi32(no, _mm512_cmpgt_epi32_mask(a, b), yes)
#define MORE_64(a, b, yes, no) _mm512_mask_mov_epi64(no, _mm512_cmpgt_epi64_mask(a, b), yes)
#define ALL_64(x) _mm512_set1_epi64(x)
#define SAME(a, b, yes, no) _mm512_mask_mov_epi32(no, _mm512_cmpeq_epi32_mask(a, b), yes)
#define ADD_PAIRS(acc, a, b) PATH(tac_add_pairs)(acc, a, b)

/* In assembly because GCC 12, given the intrinsic, does not keep 20 accumulators each in its own
   register: it copies and spills them inside, at half the speed. */
TARGET INLINE __m512i PATH(tac_add_pairs)(__m512i acc, __m512i a, __m512i b)
{
    __asm__("vpdpwssd %2, %1, %0" : "+v"(acc) : "v"(a), "v"(b));
    return acc;
}

#endif
