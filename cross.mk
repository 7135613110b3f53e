# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Builds for another machine, from the same sources: ARCH says for which. Without ARCH nothing here has an effect.

# As the kernel names it; uname and Debian have names of their own.
arch_name = $(patsubst aarch64,arm64,$(patsubst s390,s390x,$(patsubst x86,x86_64,$(patsubst amd64,x86_64,$(1)))))
HOST_ARCH := $(call arch_name,$(shell uname -m))
override ARCH := $(call arch_name,$(or $(ARCH),$(HOST_ARCH)))
CROSS := $(filter-out $(HOST_ARCH),$(ARCH))

TRIPLET_x86_64 := x86_64-linux-gnu
TRIPLET_arm64 := aarch64-linux-gnu
TRIPLET_s390x := s390x-linux-gnu
TRIPLET := $(TRIPLET_$(ARCH))

# BPF code is in the byte order of the kernel that runs it, and pt_regs are those of its machine.
BPF_ARCH := $(patsubst s390x,s390,$(patsubst x86_64,x86,$(ARCH)))
BPF_TARGET := bpf

ifneq ($(CROSS),)
ifeq ($(TRIPLET),)
$(error ARCH=$(ARCH): the machines that are known are x86_64, arm64 and s390x)
endif
NATIVE := $(filter demo check bench fuzz corpus mutants,$(MAKECMDGOALS))
ifneq ($(NATIVE),)
$(error ARCH=$(ARCH): `make $(firstword $(NATIVE))` runs on the machine it is built for; `make ARCH=$(ARCH) check-unit` does \
	what can be done here)
endif
ifeq ($(SANITIZE),1)
$(error SANITIZE=1 is for this machine, not for ARCH=$(ARCH))
endif

BPF_TARGET := $(if $(filter s390x,$(ARCH)),bpfeb,bpfel)
CROSS_COMPILE ?= $(TRIPLET)-
ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
ifeq ($(origin AR),default)
AR := $(CROSS_COMPILE)ar
endif
O ?= build/$(ARCH)
STATIC ?= 1

# The libraries of that machine, unpacked from packages of Debian; the running system does not know of them. They are those of
# an old release, because what needs an old C library can be linked with a newer one.
DEBIAN_ARCH := $(patsubst x86_64,amd64,$(ARCH))
SYSROOT ?= $(CACHE)/sysroot/bookworm-$(DEBIAN_ARCH)
SYSROOT_FLAGS := -isystem $(SYSROOT)/usr/include -isystem $(SYSROOT)/usr/include/$(TRIPLET)
SYSROOT_LDFLAGS := -L$(SYSROOT)/usr/lib/$(TRIPLET)

# What runs its programs here, but no kernel of its own: calls of bpf(2) are ENOSYS.
QEMU_USER := qemu-$(firstword $(subst -, ,$(TRIPLET)))-static
endif
