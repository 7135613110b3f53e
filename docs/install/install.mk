# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Installation: the programs, their manual pages, made from --help and docs/, and completion for
# three shells.

PREFIX ?= /usr/local
SBINDIR ?= $(PREFIX)/sbin
LIBDIR ?= $(PREFIX)/lib/pload
DATADIR ?= $(PREFIX)/share/pload
DOCDIR ?= $(PREFIX)/share/doc/pload
MANDIR ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
INSTALL ?= install
STRIP ?= $(if $(CROSS),$(CROSS_COMPILE))strip

# The newest entry of the change log: "## 0.1, 2026-11-24".
VERSION := $(shell sed -n 's/^\#\# \([0-9.]*\), .*/\1/p' CHANGELOG.md | head -n 1)
VERSION_DATE := $(shell sed -n 's/^\#\# [0-9.]*, \(.*\)/\1/p' CHANGELOG.md | head -n 1)

# The pages of docs/ for users are manual pages as well. Those for developers are not installed.
PAGES := compare errors events lifetime methods output probe profile programs scope symbols terms
PAGES_7 := $(PAGES:%=$(O)/man/pload-%.7)
PAGES_8 := $(O)/man/pload.8 $(O)/man/attach-regress.8
DOCS := README.md CHANGELOG.md LICENSE $(PAGES:%=docs/%.md) docs/regress.md
TO_MAN = awk -v date=$(VERSION_DATE) -v source='pload $(VERSION)' -v pages='$(PAGES)'
# $(1) is a file that names where others are installed: the prefix may be another one than that of
# the last installation.
placed = $(Q)sed 's|@LIBDIR@|$(LIBDIR)|g; s|@DATADIR@|$(DATADIR)|g; s|@DOCDIR@|$(DOCDIR)|g' $(1) >$(DESTDIR)$(2) && chmod 644 $(DESTDIR)$(2)
HERE := docs/install

.PHONY: man install uninstall deb
man: $(PAGES_7) $(PAGES_8)

$(PAGES_7): $(O)/man/pload-%.7: docs/%.md $(HERE)/man.awk CHANGELOG.md | setup-build
	@mkdir -p $(@D)
	$(Q)$(TO_MAN) -v page=pload-$* -v section=7 -f $(HERE)/man.awk $< >$@
$(O)/man/attach-regress.8: docs/regress.md $(HERE)/man.awk CHANGELOG.md | setup-build
	@mkdir -p $(@D)
	$(Q)$(TO_MAN) -v page=attach-regress -v section=8 -f $(HERE)/man.awk $< >$@
$(O)/man/pload.8: $(PLOAD) $(HERE)/help.awk $(HERE)/man.awk $(HERE)/pload.md
	@mkdir -p $(@D)
	$(Q){ for command in '' $$($(QEMU_USER) ./$< --help | sed -n 's/^  pload \([a-z]*\) .*/\1/p'); do \
		$(QEMU_USER) ./$< $$command --help; done | $(TO_MAN) -f $(HERE)/help.awk; \
		$(TO_MAN) -v more=1 -f $(HERE)/man.awk $(HERE)/pload.md; } >$@

install: $(PLOAD) $(O)/attach-regress objects man
	$(Q)$(INSTALL) -d $(addprefix $(DESTDIR),$(SBINDIR) $(LIBDIR)/progs $(DATADIR) $(DOCDIR)/progs $(MANDIR)/man7 $(MANDIR)/man8 \
		$(BASHDIR) $(ZSHDIR) $(FISHDIR))
	$(Q)$(INSTALL) -m 755 $(PLOAD) $(O)/attach-regress $(DESTDIR)$(SBINDIR)
	$(Q)$(STRIP) $(DESTDIR)$(SBINDIR)/pload
	$(Q)$(STRIP) --strip-debug $(DESTDIR)$(SBINDIR)/attach-regress
	$(Q)$(INSTALL) -m 644 $(BPF_OBJ) $(DESTDIR)$(LIBDIR)/progs
	$(Q)$(INSTALL) -m 644 $(BPF_SRC) progs/README.md $(DESTDIR)$(DOCDIR)/progs
	$(Q)$(INSTALL) -m 644 $(DOCS) $(DESTDIR)$(DOCDIR)
	$(Q)$(INSTALL) -m 644 $(PAGES_7) $(DESTDIR)$(MANDIR)/man7
	$(Q)$(INSTALL) -m 644 $(O)/man/attach-regress.8 $(DESTDIR)$(MANDIR)/man8
	$(call placed,$(O)/man/pload.8,$(MANDIR)/man8/pload.8)
	$(Q)$(INSTALL) -m 755 $(HERE)/complete.sh $(DESTDIR)$(DATADIR)
	$(call placed,$(HERE)/pload.bash,$(BASHDIR)/pload)
	$(Q)ln -sf pload $(DESTDIR)$(BASHDIR)/attach-regress
	$(call placed,$(HERE)/pload.zsh,$(ZSHDIR)/_pload)
	$(call placed,$(HERE)/pload.fish,$(FISHDIR)/pload.fish)
	$(Q)ln -sf pload.fish $(DESTDIR)$(FISHDIR)/attach-regress.fish

# Only what `make install` puts there, and directories of its own that are then empty.
uninstall:
	rm -f $(addprefix $(DESTDIR),$(SBINDIR)/pload $(SBINDIR)/attach-regress $(BASHDIR)/pload $(BASHDIR)/attach-regress \
		$(ZSHDIR)/_pload $(FISHDIR)/pload.fish $(FISHDIR)/attach-regress.fish $(PAGES_7:$(O)/man/%=$(MANDIR)/man7/%) \
		$(PAGES_8:$(O)/man/%=$(MANDIR)/man8/%))
	rm -f $(addprefix $(DESTDIR)$(DOCDIR)/,$(notdir $(DOCS)) $(BPF_SRC) progs/README.md) \
		$(BPF_OBJ:$(O)/%=$(DESTDIR)$(LIBDIR)/%) $(DESTDIR)$(DATADIR)/complete.sh
	for dir in $(addprefix $(DESTDIR),$(LIBDIR)/progs $(LIBDIR) $(DATADIR) $(DOCDIR)/progs $(DOCDIR)); do \
		[ ! -d $$dir ] || rmdir --ignore-fail-on-non-empty $$dir; done

DEB = $(O)/pload_$(VERSION)-1_$(DEB_ARCH).deb
DEB_ARCH = $(if $(CROSS),$(DEBIAN_ARCH),$(shell dpkg --print-architecture))
deb: $(PLOAD) $(O)/attach-regress objects man
	@rm -rf $(O)/deb
	$(Q)$(MAKE) --no-print-directory install DESTDIR=$(O)/deb PREFIX=/usr ZSHDIR=/usr/share/zsh/vendor-completions
	$(Q)sh $(HERE)/deb $(O)/deb $(VERSION) $(VERSION_DATE) $(DEB_ARCH) $(DEB)
	@echo $(DEB)
