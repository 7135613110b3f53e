// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program that does nothing: the time to start it is subtracted from the time of each loader. */
int main(void)
{
	return 0;
}
