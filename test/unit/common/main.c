// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The main() of a file of tests: it runs those that the file has registered. */
#include "test/unit/common/suite.h"

int main(void)
{
	return suite_main(suite_registered());
}
