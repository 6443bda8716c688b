#!/bin/sh
# races.sh: what the race checks report on pairs of kernels, of which one races
# (tests/races/README.md); in make test a third of those of each rule.
#
#   tests/e2e/races.sh   prints ok and FAIL lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
some=--some
[ -z "${KIT_TEST_ALL-}" ] || some=
exec tests/races/pairs.sh $some
