#!/bin/sh
# Print the newest Python that can make the environment: 3.11 or later, with venv. Fail if there is none.
for name in python3.14 python3.13 python3.12 python3.11 python3; do
    # asked to run, not only looked up: a version manager leaves names behind that do not
    if "$name" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        command -v "$name"
        exit 0
    fi
done
echo "No Python 3.11 or later with venv was found; on Debian: sudo apt-get install python3 python3-venv" >&2
exit 1
