#!/bin/sh
# Written for Claude Code alone: it denies whatever it is asked about.
echo "Not with me." >&2
exit 2
