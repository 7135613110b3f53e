# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The book: docs/ as one site (Sphinx, MyST, furo), and its checks.

BOOK_PAGES = $(wildcard docs/*.md docs/*/*.md docs/book/*.py docs/book/static/*)
.PHONY: book book-check setup-book
setup-book: setup-build
	@sh .ci/setup book

# A warning, such as a link to a heading that does not exist, is an error.
book: setup-book $(PLOAD) $(O)/progs/ip_count.bpf.o
	$(call say,BOOK)
	$(Q)sphinx-build -W --keep-going -q -b html -c docs/book docs $(O)/book

# Each console block is run, links and words are checked.
book-check: book all
	$(Q)BLOCKS=1 sh test/book/book.sh | tee $(O)/book-check.tap
	@grep '^1\.\.' $(O)/book-check.tap >/dev/null && ! grep '^not ok' $(O)/book-check.tap >/dev/null
