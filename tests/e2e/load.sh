#!/bin/sh
# load.sh: the same grade beside other work on one processor, in a lab of small cases;
# tests/load/run without --quick grades the slow ones in full.
#
# test-all: threads.sh grades with other numbers of threads
cd "$(dirname -- "$0")/../.." || exit 2
exec tests/load/run --quick --loops 0 --together 4
