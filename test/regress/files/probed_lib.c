// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A library with a function in two versions, each of which returns its own number. */
int first_of_two(void);
int second_of_two(void);

__asm__(".symver first_of_two, versioned@PROBED_1");
__asm__(".symver second_of_two, versioned@@PROBED_2");

int first_of_two(void)
{
	return 1;
}

int second_of_two(void)
{
	return 2;
}
