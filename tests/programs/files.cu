// Writes a file where it starts, and tries to read one of the user's.
#include <cstdio>

int main(int, char **argv) {
  FILE *to = fopen("made", "w");
  if (to) fputs("made\n", to), fclose(to);
  FILE *from = fopen(argv[1], "r");
  printf("%s %s\n", to ? "wrote" : "no file", from ? "read" : "nothing");
}
