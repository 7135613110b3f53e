# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Releases: the tarball, static programs for each machine, what they consist of, and the check of licences. docs/release.md describes it.

# Those of a release; a smaller list leaves machines out.
MACHINES ?= x86_64 arm64 s390x
DIST := $(abspath $(O))/dist
RELEASE := pload-$(VERSION)
# What decides about the bytes of a release is in the sources: the date is that of the change log.
SOURCE_DATE_EPOCH ?= $(shell date -u -d '$(VERSION_DATE)' +%s)
TAR_OPTIONS := --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX
# $(1) are what it takes, $(2) is its name.
pack = tar -c $(TAR_OPTIONS) --mtime=@$$SOURCE_DATE_EPOCH $(1) | xz -9e -T1 >$(2)
# The compiler of each machine, and its name by Debian.
machine_cc = $(if $(filter $(HOST_ARCH),$(1)),$(CC),$(TRIPLET_$(1))-gcc)
machine_deb = $(patsubst x86_64,amd64,$(1))
machine_sysroot = $(if $(filter-out $(HOST_ARCH),$(1)),$(CACHE)/sysroot/bookworm-$(machine_deb))
# Programs are built out of the tarball: what it lacks, they cannot have. --version has the commit of the tree that it is made from.
machine_make = $(MAKE) --no-print-directory -C $(DIST)/staged/$(RELEASE) ARCH=$(1) O=build/$(1) CC='$(call machine_cc,$(1))' \
	CROSS_COMPILE=$(TRIPLET_$(1))- SETUP= COMMIT="$$(sed -n 's/.*(commit \(.*\))".*/\1/p' $(O)/embedded/commit.h)"

# Lines with a + run under make -n as well, where nothing is there for them.
unless_dry = +@$(if $(findstring n,$(firstword -$(MAKEFLAGS))),:,$(1))

.PHONY: tarball dist check-licences
tarball: export SOURCE_DATE_EPOCH := $(SOURCE_DATE_EPOCH)
tarball:
	@mkdir -p $(DIST)
	@sh $(HERE)/files >$(DIST)/files
	$(call say,TAR)
	$(Q)$(call pack,--transform='s|^|$(RELEASE)/|S' --no-recursion -T $(DIST)/files,$(DIST)/$(RELEASE).tar.xz)
	@rm $(DIST)/files

# Compilers and libraries first: a build of minutes is not to end because the last one is missing.
dist: export SOURCE_DATE_EPOCH := $(SOURCE_DATE_EPOCH)
dist: setup-build $(O)/embedded/commit.h
	@rm -rf $(DIST)
	$(foreach m,$(filter-out $(HOST_ARCH),$(MACHINES)),@CC='$(call machine_cc,$m)' CLANG='$(CLANG)' CACHE='$(CACHE)' \
		SYSROOT='$(call machine_sysroot,$m)' sh .ci/setup cross $(call machine_deb,$m)$(newline))
	$(if $(filter-out $(MACHINES),x86_64 arm64 s390x),@echo 'left out (not among MACHINES): $(filter-out $(MACHINES),x86_64 arm64 s390x)')
	@$(MAKE) --no-print-directory tarball
	@mkdir $(DIST)/staged && tar -x -C $(DIST)/staged -f $(DIST)/$(RELEASE).tar.xz
	$(Q)cp -a $(DIST)/staged/$(RELEASE) $(DIST)/staged/sources
	$(call unless_dry,$(call machine_make,$(HOST_ARCH)) build/$(HOST_ARCH)/pload)
	$(foreach m,$(MACHINES),$(call unless_dry,$(call machine_make,$m) install-pload install-dev install-regress STATIC=1 \
		PREFIX=/usr/local DESTDIR=$(DIST)/staged/$m HELP_OF=build/$(HOST_ARCH)/pload)$(newline))
	$(foreach m,$(MACHINES),$(call say,TAR)$(newline)$(Q)$(call pack,-C $(DIST)/staged/$m/usr/local --transform='s|^\.|$(RELEASE)-linux-$m|S' \
		.,$(DIST)/$(RELEASE)-linux-$m.tar.xz)$(newline)@SYSROOT=$(call machine_sysroot,$m) sh $(HERE)/libraries \
		$(call machine_cc,$m) >$(DIST)/staged/$m.libraries$(newline))
	$(Q)sh $(HERE)/sbom $(VERSION) $(DIST)/$(RELEASE).tar.xz $(DIST)/staged/sources \
		$(foreach m,$(MACHINES),$m $(DIST)/$(RELEASE)-linux-$m.tar.xz $(DIST)/staged/$m.libraries) >$(DIST)/$(RELEASE).spdx
	@rm -rf $(DIST)/staged
	@cd $(DIST) && sha256sum -- * >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS && cat SHA256SUMS

check-licences:
	@command -v reuse >/dev/null || { echo 'pload: reuse is not installed (Debian: reuse)' >&2; exit 1; }
	@reuse lint

# Two whole releases: ten minutes of two CPUs.
.PHONY: reproducible-dist
reproducible-dist:
	@CACHE='$(CACHE)' MACHINES='$(MACHINES)' JOBS='$(JOBS)' sh test/reproducible $(O)/reproducible-dist dist

.PHONY: rpm
rpm: export SOURCE_DATE_EPOCH := $(SOURCE_DATE_EPOCH)
rpm: tarball $(PLOAD) objects man $(O)/attach-regress
	$(call unless_dry,sh $(HERE)/rpm $(abspath $(O))/rpm $(DIST)/$(RELEASE).tar.xz $(RPM_OPTIONS))
