#!/bin/sh
# Checks a policy repository for action.yml and the pre-commit hooks. Runs the hooks' tests, builds an executable with the
# hooks (which checks their types), and uses the executable to check the config files and their rules' examples.
#
#   BRIDGE_HOOKS=EXECUTABLE WITH='starter …' sh check.sh [CONFIG…]
set -eu
bridge_hooks=${BRIDGE_HOOKS:-bridge-hooks}
command -v "$bridge_hooks" >/dev/null 2>&1 || {
  echo "check.sh: $bridge_hooks is not installed; install it, or set BRIDGE_HOOKS to its path" >&2
  exit 1
}
if [ -d hooks ]; then
  "$bridge_hooks" test
  made=$(mktemp -d)
  trap 'rm -rf "$made"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  config=$*
  set --
  for name in ${WITH-starter}; do set -- "$@" --with "$name"; done
  "$bridge_hooks" build "$@" --outfile "$made/bridge-hooks"
  bridge_hooks=$made/bridge-hooks
  # shellcheck disable=SC2086
  set -- $config
fi
[ $# -gt 0 ] || exit 0
"$bridge_hooks" config check "$@"
for file in "$@"; do "$bridge_hooks" rules test "$file"; done
