// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A network that only this test can see, with traffic in it. */
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test/regress/common/net.h"

void net_make(struct regress *t)
{
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd;

	if (unshare(CLONE_NEWNET))
		regress_skip(t, "cannot create a network namespace here: %s", strerror(errno));
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &ifr))
		regress_skip(t, "the loopback device is not available: %s", strerror(errno));
	close(fd);
}

void net_connect(struct regress *t, int sockets[2], const char *congestion)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const struct timeval patience = { .tv_sec = 10 };
	const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t len = sizeof(to);

	sockets[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	sockets[1] = -1;
	if (congestion && setsockopt(sockets[0], IPPROTO_TCP, TCP_CONGESTION, congestion,
				     strlen(congestion)))
		regress_fail(t, "TCP_CONGESTION '%s': %s", congestion, strerror(errno));
	if (server >= 0 && sockets[0] >= 0 && !bind(server, (struct sockaddr *)&to, sizeof(to)) &&
	    !listen(server, 1) && !getsockname(server, (struct sockaddr *)&to, &len) &&
	    !connect(sockets[0], (struct sockaddr *)&to, sizeof(to)))
		sockets[1] = accept4(server, NULL, NULL, SOCK_CLOEXEC);
	if (sockets[1] < 0)
		regress_skip(t, "no TCP connection over the loopback device: %s", strerror(errno));
	close(server);
	for (int i = 0; i < 2; i++)
		setsockopt(sockets[i], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
}
