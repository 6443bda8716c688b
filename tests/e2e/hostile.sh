#!/bin/sh
# hostile.sh: the quick ones of tests/hostile, in the best sandbox of this machine.
cd "$(dirname -- "$0")/../.." || exit 2
exec tests/hostile/run --quick
