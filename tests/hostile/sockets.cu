// verdict: fail
// hazard: wrong
// The network, and other programs through sockets.
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
static void attack() {
  const int families[] = {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK, AF_PACKET, 40 /* vsock */, 38 /* the kernel's ciphers */};
  const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET};
  for (int family : families)
    for (int type : types)
      if (socket(family, type, 0) >= 0) succeed("a socket");
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) succeed("a pair of sockets");
  sockaddr_un name = {AF_UNIX, "\0kit-hostile"};
  for (int fd = 0; fd < 64; fd++) {
    if (bind(fd, (sockaddr *)&name, sizeof name) == 0) succeed("a name");
    if (connect(fd, (sockaddr *)&name, sizeof name) == 0) succeed("a connection");
  }
}
