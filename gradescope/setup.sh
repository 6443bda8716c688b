#!/bin/sh
# setup.sh: Gradescope runs this once, as root, while it builds the image of the autograder (Ubuntu
# 22.04; other Debian and Ubuntu images will do). It installs the packages that grading needs,
# builds the grader, and sees that grading works. What fails here fails the image; its log says why.
set -eu
kit=${AUTOGRADER_ROOT:-/autograder}/source/kit
export DEBIAN_FRONTEND=noninteractive
cd "$kit"
./setup
make grade ISAS=all # the image runs on machines of more than one kind
# Submissions are built and run as another user than root: it reads the kit, but not what is hidden.
chmod -R go+rX,go-w .
for secret in labs/*/hidden.conf labs/*/reference.json; do
  [ ! -f "$secret" ] || chmod 600 "$secret"
done
for skeleton in labs/*/*.cu; do
  lab=$(basename "$skeleton" .cu) status=0
  KIT_ROOT=$kit build/grade "$lab" --backend sim --file "$skeleton" || status=$?
  [ $status -ne 2 ] || { # an image may be built where no sandbox works: see run_autograder
    status=0
    KIT_ROOT=$kit build/grade "$lab" --backend sim --file "$skeleton" --unsafe || status=$?
  }
  [ $status -eq 1 ] ||
    { echo "setup.sh: grading $lab does not work here (exit status $status)" >&2; exit 1; }
done
