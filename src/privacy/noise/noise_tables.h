/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the noise samplers, written by tools/make_noise_tables.py: do not edit.
   noise.proof.md says what they are, and two tests recompute them. */
#ifndef TAC_NOISE_TABLES_H
#define TAC_NOISE_TABLES_H

#include <stdint.h>

/* clang-format off */
/* Gaussian: share[k] = ceil(TOP exp(-k^2 / 2)) of 2^31, edge[k] their running sum, TAIL the rest;
   excess[k] = floor(2^60 log(share[k] / (TOP exp(-k^2 / 2)))). */
#define GAUSSIAN_CELLS 7
#define GAUSSIAN_TOP UINT32_C(1224813962)
#define GAUSSIAN_TAIL UINT32_C(1)
static const uint32_t gaussian_share[GAUSSIAN_CELLS] = {
    1224813962, 742887221, 165760545, 13606455, 410880, 4565, 19,
};
static const uint32_t gaussian_edge[GAUSSIAN_CELLS] = {
    1224813962, 1967701183, 2133461728, 2147068183, 2147479063, 2147483628, 2147483647,
};
static const uint64_t gaussian_excess[GAUSSIAN_CELLS] = {
    0x0000000000000000u, 0x0000000037c511edu, 0x00000000e01afe5fu, 0x0000001278096afbu,
    0x000001c289ff3953u, 0x00007cc580f7a206u, 0x004b4d3512d02997u,
};

/* Laplace: share[k] = ceil(TOP exp(-k)) of 2^31, edge[k] their running sum, TAIL the rest;
   excess[k] = floor(2^60 log(share[k] / (TOP exp(-k)))). */
#define LAPLACE_CELLS 16
#define LAPLACE_TOP UINT32_C(1357468559)
#define LAPLACE_TAIL UINT32_C(243)
static const uint32_t laplace_share[LAPLACE_CELLS] = {
    1357468559, 499384775, 183713392, 67584380, 24862904, 9146552, 3364829, 1237852,
    455380, 167525, 61629, 22673, 8341, 3069, 1129, 416,
};
static const uint32_t laplace_edge[LAPLACE_CELLS] = {
    1357468559, 1856853334, 2040566726, 2108151106, 2133014010, 2142160562, 2145525391, 2146763243,
    2147218623, 2147386148, 2147447777, 2147470450, 2147478791, 2147481860, 2147482989, 2147483405,
};
static const uint64_t laplace_excess[LAPLACE_CELLS] = {
    0x0000000000000000u, 0x000000000ec31effu, 0x000000001f061912u, 0x000000002e9c756du,
    0x00000000c2fbd1aeu, 0x00000017607a59dfu, 0x000000442dd9fbc0u, 0x000000c3a7fefea7u,
    0x00000011a082622fu, 0x00000071e552449bu, 0x0000006329f1e468u, 0x00002cb0a21e2c71u,
    0x0000356b181225fdu, 0x0000e6460e70ce4au, 0x0000d1d61f892b0cu, 0x00075d24684ee5ccu,
};

/* floor(2^64 exp(-i/16)), i < 128, and floor(2^64 exp(-i/1024)), i < 64, but 2^64 - 1 for i = 0. */
static const uint64_t exp_coarse[128] = {
    0xffffffffffffffffu, 0xf07d5fde38151e72u, 0xe1eb51276c110c3cu, 0xd43b4096043bde02u,
    0xc75f7cf564105743u, 0xbb4b296f917bf09au, 0xaff230af4c747553u, 0xa54938c9b7e846b1u,
    0x9b4597e37cb04ff3u, 0x91dd49860ab457feu, 0x8906e49a4c9f3d59u, 0x80b991fec8010361u,
    0x78ed03afbf35f94bu, 0x71996c787c783410u, 0x6ab7782576b52d00u, 0x6440442f81a5d838u,
    0x5e2d58d8b3bcdf1au, 0x5878a2b41e3dfb5cu, 0x531c6c91deac7f58u, 0x4e1359c97520ccb5u,
    0x495860dca9613c9cu, 0x44e6c66da13121acu, 0x40ba18831d80b0fau, 0x3cce2a16225603bbu,
    0x391f0ee496b83ac8u, 0x35a91784aee38ed3u, 0x3268cdb533dcc75fu, 0x2f5af0e6f85d04afu,
    0x2c7c72fc0440e510u, 0x29ca753935610b35u, 0x274245674733a988u, 0x24e15b206201726fu,
    0x22a555477f03973fu, 0x208bf7a71898e505u, 0x1e9328b4c50f6becu, 0x1cb8ef777f6dc635u,
    0x1afb718e8457f74eu, 0x1958f156c9c2ae2du, 0x17cfcc2d36c51196u, 0x165e78cbdd9bc0cau,
    0x150385c094f424a7u, 0x13bd97fb66f892e6u, 0x128b6973646d8276u, 0x116bc7e08095fed3u,
    0x105d93892fa0102du, 0x0f5fbe22951dfbdbu, 0x0e7149c222a2d95bu, 0x0d9147df980a8fa4u,
    0x0cbed86667585764u, 0x0bf928d58d7bbdbau, 0x0b3f736cffc23dc7u, 0x0a90fe67db5155fdu,
    0x09ed1b4290c81695u, 0x0953260c52244deau, 0x08c284c3144aab31u, 0x083aa6b98025b4b1u,
    0x07bb0406393fd97du, 0x07431cfbe91328dbu, 0x06d279a9870eaa50u, 0x0668a9625d8eb6a6u,
    0x0605424d53c34a57u, 0x05a7e0fb0bc4d2d7u, 0x055028026aecb880u, 0x04fdbfa328f1b34au,
    0x04b0556e084f3d1du, 0x04679bf260293833u, 0x04234a70a52ecdd2u, 0x03e31c91a3fef376u,
    0x03a6d2222442ea3bu, 0x036e2ed2b01c206au, 0x0338f9fb3fa788dfu, 0x0306fe628c3ce45du,
    0x02d80a08d2b882e7u, 0x02abedf5cf8d56ebu, 0x02827e09c2974129u, 0x025b90d14bad7d31u,
    0x0236ff5bf3ce1321u, 0x0214a51539680568u, 0x01f45f9ff8cd459fu, 0x01d60eb40c31d5c0u,
    0x01b993fe00d53761u, 0x019ed300c108a168u, 0x0185b0f914b97b33u, 0x016e14c2dbfe479eu,
    0x0157e6bfe8de51a9u, 0x014310c05f2bc9ccu, 0x012f7dec82ce3605u, 0x011d1aafde49a58eu,
    0x010bd4a5aca77287u, 0x00fb9a867328d87cu, 0x00ec5c16b85b89c9u, 0x00de0a16c745e7a1u,
    0x00d096336e6cae83u, 0x00c3f2f7ab6fd750u, 0x00b813bf34e9182du, 0x00aceca9d514c46fu,
    0x00a2728f889ea6aeu, 0x00989af555b0a45cu, 0x008f5c02d0194b60u, 0x0086ac78400d90a2u,
    0x007e83a561abaf1au, 0x0076d960b3fde4e3u, 0x006fa5ff4ecb5790u, 0x0068e24d370c428au,
    0x006287862a553fe9u, 0x005c8f4eda047d5fu, 0x0056f3ae8f6b79ffu, 0x0051af093298eeedu,
    0x004cbc19adc92d73u, 0x004815eca7dfeb13u, 0x0043b7db90a584fcu, 0x003f9d87f9d38e61u,
    0x003bc2d73849531du, 0x003823ee490925ccu, 0x0034bd2df5e31f22u, 0x00318b2f35f1a6ecu,
    0x002e8abfc647f5fau, 0x002bb8def76af6d1u, 0x002912baac61b9d6u, 0x002695ac885c4d46u,
    0x00243f37481e63a9u, 0x00220d044486facau, 0x001ffce11bb755d0u, 0x001e0cbd7e823f6bu,
    0x001c3aa91ff0d498u, 0x001a84d1c4cc3093u, 0x0018e981713b5a6cu, 0x0017671cb2a2eb28u,
};
static const uint64_t exp_fine[64] = {
    0xffffffffffffffffu, 0xffc007ff555fff77u, 0xff801ffaab554445u, 0xff4047ee035f7e76u,
    0xff007fd55ffdde38u, 0xfec0c7acc4aed405u, 0xfe811f7035efd0d8u, 0xfe41871bb93d0678u,
    0xfe01feab551127cbu, 0xfdc2861b10e52946u, 0xfd831d66f5300159u, 0xfd43c48b0b666903u,
    0xfd047b835dfa9c5du, 0xfcc5424bf85c1b4du, 0xfc8618e0e6f76a32u, 0xfc46ff3e3735d2b4u,
    0xfc07f55ff77d2493u, 0xfbc8fb42372f7695u, 0xfb8a10e106aae773u, 0xfb4b363877495ee9u,
    0xfb0c6b449b604ec2u, 0xfacdb00186407405u, 0xfa8f046b4c359825u, 0xfa50687e02865249u,
    0xfa11dc35bf73c89eu, 0xf9d35f8e9a3971bdu, 0xf994f284ab0cd61du, 0xf95695140b1d5197u,
    0xf9184738d493d4fau, 0xf8da08ef2292a7acu, 0xf89bda331135295eu, 0xf85dbb00bd8f93cau,
    0xf81fab5445aebc8au, 0xf7e1ab29c897d6f3u, 0xf7a3ba7d66483609u, 0xf765d94b3fb50e7eu,
    0xf728078f76cb38c0u, 0xf6ea45462e6ef31au, 0xf6ac926b8a7ba3e2u, 0xf66eeefbafc39bb2u,
    0xf6315af2c40fd7bdu, 0xf5f3d64cee1fc427u, 0xf5b6610655a8fe6eu, 0xf578fb1b235717eeu,
    0xf53ba48780cb5863u, 0xf4fe5d47989c8088u, 0xf4c1255796568cbeu, 0xf483fcb3a67a77c7u,
    0xf446e357f67dfd8eu, 0xf409d940b4cb5df9u, 0xf3ccde6a10c11fd9u, 0xf38ff2d03ab1d3d8u,
    0xf353166f63e3d781u, 0xf3164943be911854u, 0xf2d98b497de6d6ecu, 0xf29cdc7cd6056a2eu,
    0xf2603cd9fc00028eu, 0xf223ac5d25dc6d5du, 0xf1e72b028a92d82eu, 0xf1aab8c6620d9441u,
    0xf16e55a4e528da04u, 0xf132019a4db28ca1u, 0xf0f5bca2d669fd9au, 0xf0b986babaffb073u,
};
/* clang-format on */

#endif
