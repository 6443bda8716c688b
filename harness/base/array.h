/* array.h: arrays that grow as elements are added. */
#ifndef KIT_ARRAY_H
#define KIT_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static inline size_t array_larger(size_t room, size_t need) {
  enum { MIN_ROOM = 4 };
  size_t doubled = room ? room * 2 : MIN_ROOM;
  return doubled > need ? doubled : need;
}

/* array: the address of a pointer to the elements. */
static inline bool array_resize(void *array, size_t room, size_t element_size) {
  void *items;
  memcpy(&items, array, sizeof items);
  items = realloc(items, room * element_size);
  if (items) memcpy(array, &items, sizeof items);
  return items != NULL;
}

/* Makes room in a malloc'ed array for so many elements. False if memory runs out: the array and
 * `room` stay as they are. */
#define ARRAY_RESERVE(items, room, need)                                                     \
  ((size_t)(need) <= (size_t)(room) ||                                                       \
   (array_resize(&(items), array_larger((size_t)(room), (size_t)(need)), sizeof *(items)) && \
    ((room) = (__typeof__(room))array_larger((size_t)(room), (size_t)(need)), true)))

#endif
