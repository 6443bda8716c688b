/* wire.c: encodes, decodes, sends and receives the messages between runner and device. */
#include "harness/sim/remote/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "harness/base/array.h"

/* Values into a message */

void wire_put(struct wire_writer *writer, const void *bytes, size_t count) {
  if (writer->failed || count > WIRE_MAX_TEXT_BYTES - writer->length ||
      !ARRAY_RESERVE(writer->data, writer->room, writer->length + count)) {
    writer->failed = true;
    return;
  }
  if (count > 0) memcpy(writer->data + writer->length, bytes, count);
  writer->length += count;
}

void wire_begin(struct wire_writer *writer, enum wire_type type) {
  writer->length = 0;
  writer->failed = false;
  wire_put(writer, &(struct wire_header){type, 0}, sizeof(struct wire_header));
}

void wire_put_text(struct wire_writer *writer, const void *text, size_t length) {
  if (length > WIRE_MAX_TEXT_BYTES) {
    writer->failed = true;
    return;
  }
  wire_put_u32(writer, (uint32_t)length);
  wire_put(writer, text, length);
}

void wire_free(struct wire_writer *writer) {
  free(writer->data);
  *writer = (struct wire_writer){0};
}

/* ... and out of one */

void wire_get(struct wire_reader *reader, void *value, size_t bytes) {
  memset(value, 0, bytes);
  if (reader->bad || bytes > reader->left) {
    reader->bad = true;
    return;
  }
  memcpy(value, reader->at, bytes);
  reader->at += bytes;
  reader->left -= bytes;
}

#define VALUE(name, type)                                        \
  void wire_put_##name(struct wire_writer *writer, type value) { \
    wire_put(writer, &value, sizeof value);                      \
  }                                                              \
  type wire_get_##name(struct wire_reader *reader) {             \
    type value;                                                  \
    wire_get(reader, &value, sizeof value);                      \
    return value;                                                \
  }
VALUE(i32, int32_t)
VALUE(u32, uint32_t)
VALUE(u64, uint64_t)
VALUE(f64, double)

const void *wire_get_text(struct wire_reader *reader, size_t max, size_t *length) {
  *length = wire_get_u32(reader);
  if (reader->bad || *length > reader->left || *length > max) {
    reader->bad = true;
    *length = 0;
    return "";
  }
  const void *text = reader->at;
  reader->at += *length;
  reader->left -= *length;
  return text;
}

void wire_get_string(struct wire_reader *reader, char *to, size_t room) {
  size_t length;
  const void *text = wire_get_text(reader, room - 1, &length);
  if (memchr(text, '\0', length)) {
    reader->bad = true;
    length = 0;
  }
  memcpy(to, text, length);
  to[length] = '\0';
}

bool wire_complete(const struct wire_reader *reader) { return !reader->bad && reader->left == 0; }

/* Whole messages */

/* Fills in the header. NULL, with errno set, if the message could not be built. */
static const struct wire_header *finish(struct wire_writer *writer) {
  struct wire_header *header = (struct wire_header *)writer->data;
  if (writer->failed) {
    errno = EMSGSIZE;
    return NULL;
  }
  header->bytes = (uint32_t)(writer->length - sizeof *header);
  return header;
}

/* seal NULL: without one. */
static int send_message(int socket, struct wire_writer *writer, struct wire_seal *seal,
                        int passed) {
  if (!finish(writer)) return -1;
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct iovec parts[2] = {{seal, seal ? sizeof *seal : 0}, {writer->data, writer->length}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  if (passed >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    control.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), &passed, sizeof passed);
  }
  while (parts[0].iov_len + parts[1].iov_len > 0) {
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return -1;
    for (int i = 0; i < 2; i++) {
      size_t part = (size_t)sent < parts[i].iov_len ? (size_t)sent : parts[i].iov_len;
      parts[i].iov_base = (char *)parts[i].iov_base + part;
      parts[i].iov_len -= part;
      sent -= (ssize_t)part;
    }
    message.msg_control = NULL;
    message.msg_controllen = 0;
  }
  return 0;
}

int wire_send(int socket, struct wire_writer *writer, int passed) {
  return send_message(socket, writer, NULL, passed);
}

uint64_t wire_tag(uint64_t key, uint64_t number, uint32_t type, uint32_t bytes) {
  uint64_t x = key ^ number * UINT64_C(0x9e3779b97f4a7c15) ^ ((uint64_t)type << 32 | bytes);
  x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
  x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return x ^ x >> 32 ^ key;
}

int wire_send_sealed(int socket, struct wire_writer *writer, uint64_t key, uint64_t number,
                     uint32_t thread) {
  const struct wire_header *header = finish(writer);
  if (!header) return -1;
  struct wire_seal seal = {wire_tag(key, number, header->type, header->bytes), thread, 0};
  return send_message(socket, writer, &seal, -1);
}

/* Reads exactly so many bytes: 1, 0 at the end before the first, -1. */
static int receive_all(int socket, void *to, size_t bytes, int *passed) {
  size_t got = 0;
  while (got < bytes) {
    union {
      struct cmsghdr header;
      char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {(char *)to + got, bytes - got};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (passed) {
      message.msg_control = &control;
      message.msg_controllen = sizeof control;
    }
    ssize_t n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) return got == 0 ? 0 : -1;
    if (passed && message.msg_controllen >= CMSG_LEN(sizeof(int)) &&
        control.header.cmsg_type == SCM_RIGHTS)
      memcpy(passed, CMSG_DATA(&control.header), sizeof *passed);
    got += (size_t)n;
  }
  return 1;
}

int wire_receive_seal(int socket, struct wire_seal *seal) {
  return receive_all(socket, seal, sizeof *seal, NULL);
}

int wire_receive_header(int socket, struct wire_inbox *inbox, int *passed) {
  if (passed) *passed = -1;
  return receive_all(socket, &inbox->header, sizeof inbox->header, passed);
}

int wire_receive_payload(int socket, struct wire_inbox *inbox, size_t (*limit)(uint32_t type)) {
  size_t bytes = inbox->header.bytes;
  if (bytes > limit(inbox->header.type)) return -1;
  if (bytes > inbox->room) {
    free(inbox->payload);
    inbox->room = 0;
    inbox->payload = malloc(bytes);
    if (!inbox->payload) return -1;
    inbox->room = bytes;
  }
  return bytes == 0 || receive_all(socket, inbox->payload, bytes, NULL) == 1 ? 1 : -1;
}

int wire_receive(int socket, struct wire_inbox *inbox, size_t (*limit)(uint32_t type),
                 int *passed) {
  int got = wire_receive_header(socket, inbox, passed);
  return got == 1 ? wire_receive_payload(socket, inbox, limit) : got;
}

void wire_inbox_free(struct wire_inbox *inbox) {
  free(inbox->payload);
  *inbox = (struct wire_inbox){0};
}

size_t wire_limit_in(uint32_t type) {
  return type == WIRE_MODULE ? WIRE_MAX_TEXT_BYTES : WIRE_MAX_BYTES;
}

size_t wire_limit_out(uint32_t type) {
  (void)type;
  return WIRE_MAX_TEXT_BYTES;
}
