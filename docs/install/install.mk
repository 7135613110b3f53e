# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Installation: the programs, their manual pages, made from --help and docs/, completion for three shells, and the headers for
# programs of one's own. There are three parts, which are packages of debian/.

PREFIX ?= /usr/local
SBINDIR ?= $(PREFIX)/sbin
LIBDIR ?= $(PREFIX)/lib/pload
DATADIR ?= $(PREFIX)/share/pload
DOCDIR ?= $(PREFIX)/share/doc/pload
MANDIR ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
INCLUDEDIR ?= $(PREFIX)/include/pload
PKGCONFIGDIR ?= $(PREFIX)/share/pkgconfig
INSTALL ?= install
STRIP ?= $(if $(CROSS),$(CROSS_COMPILE))strip

# The newest entry of the change log: "## 0.1, 2026-11-24".
VERSION := $(shell sed -n 's/^\#\# \([0-9.]*\), .*/\1/p' CHANGELOG.md | head -n 1)
VERSION_DATE := $(shell sed -n 's/^\#\# [0-9.]*, \(.*\)/\1/p' CHANGELOG.md | head -n 1)

# The pages of docs/ for users are manual pages as well. Those for developers are not installed.
PAGES := addresses compare errors events lifetime methods output probe profile programs scale scope symbols terms
PAGES_7 := $(PAGES:%=$(O)/man/pload-%.7)
PAGES_8 := $(O)/man/pload.8 $(O)/man/attach-regress.8 $(O)/man/pload-judge.8
LICENSE_TEXTS := $(wildcard LICENSES/*.txt)
# They lie below DOCDIR as they lie here, so that links from one to another hold.
DOCS := README.md CHANGELOG.md SECURITY.md LICENSE $(LICENSE_TEXTS) $(PAGES:%=docs/%.md) docs/regress.md docs/flamegraph.svg docs/methods.svg \
	progs/README.md $(BPF_SRC)
HEADERS := $(sort $(wildcard uapi/*/*.h))
TO_MAN = awk -v date=$(VERSION_DATE) -v source='pload $(VERSION)' -v pages='$(PAGES)'
# $(1) is a text that names where others are installed: the prefix may be another one than that of the last installation. $(3) is its
# name in DOCS, if it is one of them.
placed = $(Q)$(INSTALL) -d $(dir $(DESTDIR)$(2)) && awk -v version=$(VERSION) -v libdir=$(LIBDIR) -v datadir=$(DATADIR) \
	-v docdir=$(DOCDIR) -v includedir=$(INCLUDEDIR) -v name=$(3) -v installed='$(DOCS)' -f $(HERE)/place.awk $(1) \
	>$(DESTDIR)$(2) && chmod 644 $(DESTDIR)$(2)
define newline


endef
HERE := docs/install

.PHONY: man install install-pload install-dev install-regress install-judge uninstall reproducible
man: $(PAGES_7) $(PAGES_8)

$(PAGES_7): $(O)/man/pload-%.7: docs/%.md $(HERE)/man.awk CHANGELOG.md | setup-build
	@mkdir -p $(@D)
	$(Q)$(TO_MAN) -v page=pload-$* -v section=7 -f $(HERE)/man.awk $< >$@
$(O)/man/attach-regress.8: docs/regress.md $(HERE)/man.awk CHANGELOG.md | setup-build
	@mkdir -p $(@D)
	$(Q)$(TO_MAN) -v page=attach-regress -v section=8 -f $(HERE)/man.awk $< >$@
$(O)/man/pload-judge.8: docs/course/README.md $(HERE)/man.awk CHANGELOG.md | setup-build
	@mkdir -p $(@D)
	$(Q)$(TO_MAN) -v page=pload-judge -v section=8 -f $(HERE)/man.awk $< >$@
# What prints --help: this program, if need be under qemu-user, or one of this machine that HELP_OF names.
HELP_OF ?= $(QEMU_USER) ./$(PLOAD)
$(O)/man/pload.8: $(PLOAD) $(HERE)/help.awk $(HERE)/man.awk $(HERE)/pload.md
	@mkdir -p $(@D)
	$(Q){ for command in '' $$($(HELP_OF) --help | sed -n 's/^  pload \([a-z]*\) .*/\1/p'); do \
		$(HELP_OF) $$command --help=all; done | $(TO_MAN) -f $(HERE)/help.awk; \
		$(TO_MAN) -v more=1 -f $(HERE)/man.awk $(HERE)/pload.md; } >$@

install: install-pload install-dev install-regress install-judge

install-pload: $(PLOAD) objects man
	$(Q)$(INSTALL) -d $(addprefix $(DESTDIR),$(SBINDIR) $(LIBDIR)/progs $(DATADIR) $(BASHDIR) $(FISHDIR))
	$(Q)$(INSTALL) -m 755 $(PLOAD) $(DESTDIR)$(SBINDIR)/pload
	$(Q)$(STRIP) --remove-section=.comment $(DESTDIR)$(SBINDIR)/pload
	$(Q)$(INSTALL) -m 644 $(BPF_OBJ) $(DESTDIR)$(LIBDIR)/progs
	$(foreach f,$(DOCS),$(call placed,$f,$(DOCDIR)/$f,$f)$(newline))
	$(foreach f,$(PAGES_7),$(call placed,$f,$(MANDIR)/man7/$(notdir $f))$(newline))
	$(call placed,$(O)/man/pload.8,$(MANDIR)/man8/pload.8)
	$(Q)$(INSTALL) -m 755 $(HERE)/complete.sh $(DESTDIR)$(DATADIR)
	$(call placed,$(HERE)/pload.bash,$(BASHDIR)/pload)
	$(Q)ln -sf pload $(DESTDIR)$(BASHDIR)/attach-regress
	$(call placed,$(HERE)/pload.zsh,$(ZSHDIR)/_pload)
	$(call placed,$(HERE)/pload.fish,$(FISHDIR)/pload.fish)
	$(Q)ln -sf pload.fish $(DESTDIR)$(FISHDIR)/attach-regress.fish

install-dev:
	$(foreach d,$(sort $(dir $(HEADERS))),$(Q)$(INSTALL) -d $(DESTDIR)$(INCLUDEDIR)/$d && \
		$(INSTALL) -m 644 $(filter $d%,$(HEADERS)) $(DESTDIR)$(INCLUDEDIR)/$d$(newline))
	$(call placed,$(HERE)/pload.pc,$(PKGCONFIGDIR)/pload.pc)

install-regress: $(O)/attach-regress man
	$(Q)$(INSTALL) -d $(DESTDIR)$(SBINDIR)
	$(Q)$(INSTALL) -m 755 $(O)/attach-regress $(DESTDIR)$(SBINDIR)
	$(Q)$(STRIP) --strip-debug $(DESTDIR)$(SBINDIR)/attach-regress
	$(call placed,$(O)/man/attach-regress.8,$(MANDIR)/man8/attach-regress.8)

install-judge: $(O)/judge man
	$(Q)$(INSTALL) -d $(DESTDIR)$(SBINDIR)
	$(Q)$(INSTALL) -m 755 $(O)/judge $(DESTDIR)$(SBINDIR)/pload-judge
	$(Q)$(STRIP) --remove-section=.comment $(DESTDIR)$(SBINDIR)/pload-judge
	$(call placed,$(O)/man/pload-judge.8,$(MANDIR)/man8/pload-judge.8)

# Only what `make install` puts there, and directories of its own that are then empty.
uninstall:
	rm -f $(addprefix $(DESTDIR),$(addprefix $(SBINDIR)/,pload attach-regress pload-judge) $(BASHDIR)/pload $(BASHDIR)/attach-regress \
		$(ZSHDIR)/_pload $(FISHDIR)/pload.fish $(FISHDIR)/attach-regress.fish $(PAGES_7:$(O)/man/%=$(MANDIR)/man7/%) \
		$(PAGES_8:$(O)/man/%=$(MANDIR)/man8/%) $(DOCS:%=$(DOCDIR)/%) $(BPF_OBJ:$(O)/%=$(LIBDIR)/%) $(DATADIR)/complete.sh \
		$(HEADERS:%=$(INCLUDEDIR)/%) $(PKGCONFIGDIR)/pload.pc)
	for dir in $(addprefix $(DESTDIR),$(LIBDIR)/progs $(LIBDIR) $(DATADIR) $(DOCDIR)/docs $(DOCDIR)/progs $(DOCDIR)/LICENSES $(DOCDIR) \
		$(INCLUDEDIR)/uapi/bpf $(INCLUDEDIR)/uapi/linux $(INCLUDEDIR)/uapi $(INCLUDEDIR)); do \
		[ ! -d $$dir ] || rmdir --ignore-fail-on-non-empty $$dir; done

# Two whole builds: the tests compare a few files of one.
reproducible:
	@sh test/reproducible $(O)/reproducible
