#!/bin/sh
# class_property.sh: random classes, each of whose grades is known: whoever has it in an export is
# who handed it in.
#
#   tests/e2e/class_property.sh          20 classes in each platform's format, the same every time
#   tests/e2e/class_property.sh 1000 7   others: 1,000 of each, from seed 7
#
# Prints what build/class-property does: a line for each format, and the seed of what failed.
# tests/class/property.c explains it.
#
# test-all: the same every time, and class.sh has exports of each platform
set -eu
cd "$(dirname "$0")/../.."
[ -x build/class-property ] ||
  {
    echo 'skip class_property: it is not built (./setup --class, then make build/class-property)'
      exit 0
  }
build/class-property --count "${1:-20}" --seed "${2:-31000}"
