/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Conversion to and from network byte order for BPF programs. */
#ifndef __BPF_ENDIAN__
#define __BPF_ENDIAN__

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define bpf_htons(x)		__builtin_bswap16(x)
#define bpf_htonl(x)		__builtin_bswap32(x)
#define bpf_cpu_to_be64(x)	__builtin_bswap64(x)
#else
#define bpf_htons(x)		(x)
#define bpf_htonl(x)		(x)
#define bpf_cpu_to_be64(x)	(x)
#endif

#define bpf_ntohs(x)		bpf_htons(x)
#define bpf_ntohl(x)		bpf_htonl(x)
#define bpf_be64_to_cpu(x)	bpf_cpu_to_be64(x)

/* Older sources use these names in case labels. __builtin_bswap* of a constant is a constant. */
#define __bpf_constant_htons(x)		bpf_htons(x)
#define __bpf_constant_ntohs(x)		bpf_ntohs(x)
#define __bpf_constant_htonl(x)		bpf_htonl(x)
#define __bpf_constant_ntohl(x)		bpf_ntohl(x)
#define __bpf_constant_cpu_to_be64(x)	bpf_cpu_to_be64(x)
#define __bpf_constant_be64_to_cpu(x)	bpf_be64_to_cpu(x)

#endif
