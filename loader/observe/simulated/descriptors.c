// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of descriptors of a simulated kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/observe/simulated/simulated.h"

struct sim_fds sim_fds(size_t size, unsigned int max)
{
	return (struct sim_fds){ .size = size, .max = max, .lowest = SIM_FIRST_FD };
}

static enum sim_kind *entry(const struct sim_fds *fds, unsigned int nr)
{
	return (enum sim_kind *)(fds->list + nr * fds->size);
}

static int grow(struct sim_fds *fds)
{
	const unsigned int nr = fds->nr ? fds->nr * 2 : 32;
	char *list;

	if (nr > fds->max)
		return -EMFILE;
	list = reallocarray(fds->list, nr, fds->size);
	if (!list)
		return -ENOMEM;
	memset(list + fds->nr * fds->size, 0, (nr - fds->nr) * fds->size);
	fds->list = list;
	fds->nr = nr;
	return 0;
}

int sim_fd_new(struct sim_fds *fds, enum sim_kind kind, void *fd)
{
	unsigned int i = fds->lowest;
	enum sim_kind *new;
	int ret;

	while (i < fds->nr && *entry(fds, i) != SIM_FREE)
		i++;
	if (i >= fds->nr) {
		ret = grow(fds);
		if (ret < 0)
			return ret;
	}
	new = entry(fds, i);
	memset(new, 0, fds->size);
	*new = kind;
	memcpy(fd, &new, sizeof(new));
	fds->lowest = i + 1;
	return i;
}

void *sim_fd_get(const struct sim_fds *fds, long fd)
{
	/* The kernel takes an int. */
	const int nr = fd;

	return nr >= 0 && (unsigned int)nr < fds->nr && *entry(fds, nr) ? entry(fds, nr) : NULL;
}

void *sim_fd_as(const struct sim_fds *fds, long fd, enum sim_kind kind, int *code)
{
	enum sim_kind *found = sim_fd_get(fds, fd);

	*code = !found ? -EBADF : *found != kind ? -EINVAL : 0;
	return *code ? NULL : found;
}

void sim_fd_free(struct sim_fds *fds, long fd)
{
	*entry(fds, fd) = SIM_FREE;
	if (fd < fds->lowest)
		fds->lowest = fd;
}

int sim_poll(const struct sim_fds *fds, struct pollfd *list, unsigned long nr, sim_ready *ready,
	     void *kernel)
{
	int n = 0;

	for (unsigned long i = 0; i < nr; i++) {
		const void *fd = sim_fd_get(fds, list[i].fd);

		list[i].revents = 0;
		if (fd && ready(kernel, list[i].fd, fd))
			list[i].revents = list[i].events & POLLIN;
		else if (!fd && list[i].fd >= SIM_FIRST_FD)
			list[i].revents = POLLNVAL;
		n += list[i].revents != 0;
	}
	return n;
}
