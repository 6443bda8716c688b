#!/bin/sh
# slurm.sh: ./grade class --engine slurm with a real Slurm on this machine alone: a few submissions,
# of which one is requeued and one cancelled, end in the gradebook of a local run.
#
#   tests/e2e/slurm.sh     prints ok, FAIL and skip lines; exits with 1 if any failed
#   tests/slurm/hundred    the same with a hundred, and more that goes wrong
set -eu
cd "$(dirname "$0")/../.."
LABS=lab3 exec tests/slurm/hundred 6 requeue cancel
