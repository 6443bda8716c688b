#!/bin/sh
# races.sh: what the race checks report on pairs of kernels, of which one races
# (tests/races/README.md).
#
#   tests/e2e/races.sh   prints ok and FAIL lines; exits with 1 if any failed
set -eu
exec "$(dirname "$0")/../races/pairs.sh"
