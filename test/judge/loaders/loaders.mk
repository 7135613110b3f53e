# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The judge as a conformance suite: each stage of the course, and each statement of docs/loading, for pload and for other loaders, those
# that are installed or were fetched.

.PHONY: judge-loaders judge-loaders-fetch judge-statements

# Only then is it worth to look for what is installed.
ifneq ($(filter judge-loaders judge-loaders-fetch judge-statements,$(MAKECMDGOALS)),)
J := $(O)/judge-loaders
PYTHON := $(firstword $(shell command -v python3))

# The newest packages of Debian are in a directory of the cache; the running system does not know of them.
LOADERS_SUITES := sid+trixie
LOADERS_ROOT := $(CACHE)/$(LOADERS_SUITES)
LOADERS_LIB := $(LOADERS_ROOT)/usr/lib/x86_64-linux-gnu
GO_NEWEST := golang-1.27

# $(call version_of,PACKAGE) - of a package that is installed, without Debian's own part.
version_of = $(shell dpkg-query -W -f '$${Version}' $(1) 2>/dev/null | sed 's/^[0-9]*://; s/[-+].*//')
LIBBPF_INSTALLED := $(if $(wildcard /usr/include/bpf/libbpf.h),$(call version_of,libbpf-dev))
LIBBPF_FETCHED := $(patsubst libbpf.so.%,%,$(notdir $(wildcard $(LOADERS_LIB)/libbpf.so.1.*)))
CILIUM_INSTALLED := $(if $(shell command -v go),$(call version_of,golang-github-cilium-ebpf-dev))
CILIUM_FETCHED := $(if $(wildcard $(LOADERS_ROOT)/usr/lib/go-*/bin/go),$(shell ls $(CACHE)/debs 2>/dev/null | \
		  sed -n 's/^golang-github-cilium-ebpf-dev_\([0-9.]*\).*/\1/p' | sort -V | tail -n 1))

LOADERS_BUILT := $(if $(LIBBPF_INSTALLED),$(J)/libbpf) $(if $(LIBBPF_FETCHED),$(J)/libbpf-fetched) \
		 $(if $(CILIUM_INSTALLED),$(J)/cilium) $(if $(CILIUM_FETCHED),$(J)/cilium-fetched)
# A row is "NAME VERSION COMMAND".
define LOADERS
loader.c - $(O)/tour-loader
$(if $(PYTHON),loader.py $(shell $(PYTHON) -c 'import platform; print(platform.python_version())') $(PYTHON) test/judge/loaders/loader.py)
$(if $(PYTHON),pload - $(PYTHON) test/judge/loaders/pload.py)
$(if $(LIBBPF_INSTALLED),libbpf $(LIBBPF_INSTALLED) $(J)/libbpf)
$(if $(LIBBPF_FETCHED),libbpf $(LIBBPF_FETCHED) $(LOADERS_ROOT)/run/own $(J)/libbpf-fetched)
$(if $(and $(BPFTOOL),$(LIBBPF_INSTALLED)),skeleton $(or $(call version_of,bpftool),-) test/judge/loaders/skeleton)
$(if $(CILIUM_INSTALLED),cilium/ebpf $(CILIUM_INSTALLED) $(J)/cilium)
$(if $(CILIUM_FETCHED),cilium/ebpf $(CILIUM_FETCHED) $(J)/cilium-fetched)
endef
export LOADERS
LOADERS_MISSING := $(if $(PYTHON),,python3) $(if $(LIBBPF_INSTALLED),,libbpf-dev) $(if $(BPFTOOL),,bpftool) \
	$(if $(CILIUM_INSTALLED),,golang-go golang-github-cilium-ebpf-dev)

judge-loaders: $(O)/judge $(PLOAD) $(O)/tour-loader $(LOADERS_BUILT)
	$(if $(strip $(LOADERS_MISSING)),@echo 'left out because it is not installed: $(strip $(LOADERS_MISSING))')
	$(if $(and $(LIBBPF_FETCHED),$(CILIUM_FETCHED)),,@echo 'left out until it is fetched (make judge-loaders-fetch): the newest of Debian')
	@printf '%s\n' "$$LOADERS" | $(SUDO) env PLOAD=./$(PLOAD) CC='$(CC)' CLANG='$(CLANG)' \
		sh test/judge/loaders/table $(O)/judge $(J) $(STAGE)

# The light skeleton is left out: the kernel makes its calls, where no tracer sees them. STATEMENTS are chapters or ids.
judge-statements: $(O)/judge $(PLOAD) $(O)/tour-loader $(LOADERS_BUILT)
	$(if $(strip $(LOADERS_MISSING)),@echo 'left out because it is not installed: $(strip $(LOADERS_MISSING))')
	@printf '%s\n' 'pload - sh test/judge/loaders/pload.sh' "$$LOADERS" \
		$(if $(BPFTOOL),'bpftool $(or $(call version_of,bpftool),-) test/judge/loaders/bpftool') | \
		grep -v '^skeleton\|pload.py' | $(SUDO) env PLOAD=./$(PLOAD) \
		sh test/judge/loaders/statements $(O)/judge $(J) $(STATEMENTS)

judge-loaders-fetch:
	$(Q)sh test/corpus/fetch $(CACHE) root $(LOADERS_SUITES) libc6 zlib1g libzstd1 libelf1t64 libbpf1 libbpf-dev linux-libc-dev \
		$(GO_NEWEST)-go $(GO_NEWEST)-src golang-github-cilium-ebpf-dev golang-golang-x-sys-dev

LOADERS_CC = $(CC) -std=gnu11 $(WARNINGS) -I. -D_GNU_SOURCE -O1
$(J)/libbpf: test/judge/loaders/libbpf.c test/judge/loaders/peer.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(LOADERS_CC) -o $@ $< -lbpf
$(J)/libbpf-fetched: test/judge/loaders/libbpf.c test/judge/loaders/peer.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(LOADERS_CC) -isystem $(LOADERS_ROOT)/usr/include -o $@ $< $(LOADERS_LIB)/libbpf.so.1 -Wl,--allow-shlib-undefined

# Debian has the sources of Go packages in a GOPATH; without modules nothing is asked of a network.
LOADERS_GO = GO111MODULE=off GOFLAGS= GOTOOLCHAIN=local GOCACHE=$(abspath $(J))/go-$(@F) GOPATH=$(1)/usr/share/gocode \
	     $(2) build -o $@ ./test/judge/loaders/cilium
$(J)/cilium: test/judge/loaders/cilium/main.go
	@mkdir -p $(@D)
	$(call say,GO)
	$(Q)$(call LOADERS_GO,,go)
$(J)/cilium-fetched: test/judge/loaders/cilium/main.go
	@mkdir -p $(@D)
	$(call say,GO)
	$(Q)GOROOT=$(dir $(wildcard $(LOADERS_ROOT)/usr/lib/go-*/VERSION)) \
		$(call LOADERS_GO,$(LOADERS_ROOT),$(wildcard $(LOADERS_ROOT)/usr/lib/go-*/bin/go))
endif
