#!/bin/sh
# Installs bridge-hooks for the current user, without root: downloads this platform's archive, verifies the release's
# signature and the archive's checksum, and copies the executable to a directory. Nothing downloaded runs before both are
# verified, and nothing unverified is installed.
#
#   sh install.sh [--version VERSION] [--dir DIR] [--no-signature]
#
# BRIDGE_HOOKS_URL sets another download URL for the release's files; {version} in it stands for the version.
#
# "test && test || fail" is intended to fail if either test does. A shell without ulimit -c leaves core dumps unchanged:
# shellcheck disable=SC2015,SC3045
set -u

# Filled in by the release.
released_version='@VERSION@'
released_url='@URL@'
released_key='@KEY@'

say() { printf '%s\n' "bridge-hooks: $*" >&2; }
fail() {
  say "$*"
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

usage() {
  cat <<'END'
Usage: sh install.sh [--version VERSION] [--dir DIR] [--no-signature]

  --version VERSION  the release to install (default: the one that this script comes with)
  --dir DIR          where the executable goes (default: ~/.local/bin)
  --no-signature     check only the checksum, which proves nothing if the place of the release was taken over

BRIDGE_HOOKS_URL: where the release's files are; {version} in it stands for the version.
END
}

# Prints the platform as used in archive names.
find_platform() {
  os=$(uname -s) arch=$(uname -m)
  case $os in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    MINGW* | MSYS* | CYGWIN* | Windows*) fail "this script is for Linux and macOS; on Windows, run install.ps1 in PowerShell" ;;
    *) fail "unsupported system $os; executables exist for Linux, macOS and Windows" ;;
  esac
  case $arch in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "unsupported processor $arch; executables exist for x64 and arm64" ;;
  esac
  # Under Rosetta, uname reports an Intel Mac.
  if [ "$os-$arch" = darwin-x64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then arch=arm64; fi
  libc=
  if [ "$os" = linux ] && is_musl; then libc=-musl; fi
  printf '%s\n' "$os-$arch$libc"
}

is_musl() {
  case $(ldd --version 2>&1) in
    *musl*) return 0 ;;
    *GLIBC* | *GNU* | *glibc*) return 1 ;;
  esac
  for loader in /lib/ld-musl-*; do [ -e "$loader" ] && return 0; done
  return 1
}

# Downloads $1 to $2, at most $3 MB. curl doesn't follow redirects from https to other protocols. wget does, which is one
# reason to trust the signature rather than the connection.
download() {
  has curl || has wget || fail "neither curl nor wget is installed; install one, or download the files manually"
  (
    # The unit is 512 or 1024 bytes, depending on the shell.
    ulimit -c 0
    ulimit -f $(($3 * 2048)) 2>/dev/null
    if has curl; then
      case $1 in
        https:*) curl -fsSL --proto '=https' --proto-redir '=https' -o "$2" "$1" ;;
        *) curl -fsSL -o "$2" "$1" ;;
      esac
    else
      # Not every wget supports these options.
      options=
      if wget --help 2>&1 | grep -q -e --tries; then options='--tries=2 --timeout=30'; fi
      # shellcheck disable=SC2086
      wget -q $options -O "$2" "$1"
    fi
  )
}

compute_sha256() {
  if has sha256sum; then sha256sum "$1" | cut -d' ' -f1
  elif has shasum; then shasum -a 256 "$1" | cut -d' ' -f1
  elif has openssl; then openssl dgst -sha256 -r "$1" | cut -d' ' -f1
  else fail "no sha256sum, shasum or openssl is installed to verify the download; install one"
  fi
}

# Verifies the signature of SHA256SUMS in the directory $1 with OpenSSL or LibreSSL (included in macOS).
check_signature() {
  [ -n "$released_key" ] || fail "this script belongs to an unsigned release and has no key; nothing was installed. To verify only the checksum, pass --no-signature"
  has openssl || fail "openssl is not installed, so the signature can't be verified; nothing was installed. Install openssl, or pass --no-signature to verify only the checksum"
  download "$url/SHA256SUMS.sig" "$1/SHA256SUMS.sig" 1 || fail "$url/SHA256SUMS.sig can't be downloaded; nothing was installed"
  { printf '%s\n' "$released_key" >"$1/key.pem"; } 2>/dev/null || fail "$1 can't be written to; is the disk full?"
  answer=$(openssl dgst -sha256 -verify "$1/key.pem" -signature "$1/SHA256SUMS.sig" "$1/SHA256SUMS" 2>/dev/null) && [ "$answer" = 'Verified OK' ] ||
    fail "the signature of $url/SHA256SUMS is invalid; nothing was installed. Either the files were changed, or this script belongs to another release"
}

# Prints the hash of file $2 from SHA256SUMS in the directory $1. Exactly one line must match.
find_sum() {
  sum=$(awk -v line="  $2" 'length($1) == 64 && $0 == $1 line { print $1 }' "$1/SHA256SUMS")
  case $sum in
    '') fail "the release at $url has no $2; nothing was installed" ;;
    *[!0-9a-f]*) fail "$url/SHA256SUMS lists $2 more than once, or has no hash for it; nothing was installed" ;;
  esac
  printf '%s\n' "$sum"
}

# Tests whether version $1 is newer than $2; 1.0.0-rc.2 is newer than 1.0.0-rc.1, and 1.0.0 than both.
is_newer() {
  awk -v a="${1%%+*}" -v b="${2%%+*}" 'BEGIN {
    n = split(a, x, /[.-]/); m = split(b, y, /[.-]/)
    for (i = 1; i <= n && i <= m; i++) if (x[i] != y[i]) exit !(x[i] > y[i])
    if (n == 3 || m == 3) exit !(n < m)
    exit !(n > m)
  }'
}

# Fails unless an existing file is an older release of bridge-hooks.
check_target() {
  [ -e "$1" ] || [ -h "$1" ] || return 0
  [ -f "$1" ] || fail "$1 exists and is not a file; pass another directory with --dir"
  there=$("$1" --version 2>/dev/null </dev/null | head -n 1)
  case $there in
    [0-9]*.[0-9]*.[0-9]*) ;;
    *) fail "$1 exists and is not a bridge-hooks executable; pass another directory with --dir" ;;
  esac
  case $("$1" list --json 2>/dev/null </dev/null) in
    *'"origin": "own"'*) fail "$1 contains your own hooks, which this release lacks; rebuild it with build, or pass another directory with --dir" ;;
  esac
  if [ -z "$wanted" ] && is_newer "$there" "$version"; then
    fail "$1 is $there, newer than $version; pass --version $version to downgrade"
  fi
}

main() {
  wanted='' folder='' without_signature=''
  while [ $# -gt 0 ]; do
    case $1 in
      --version | --dir)
        [ $# -ge 2 ] && [ -n "$2" ] || fail "$1 requires a value; see --help"
        if [ "$1" = --dir ]; then folder=$2; else wanted=${2#v}; fi
        shift 2
        ;;
      --no-signature)
        without_signature=yes
        shift
        ;;
      -h | --help)
        usage
        exit 0
        ;;
      *) fail "unknown option $1; see --help" ;;
    esac
  done
  version=${wanted:-$released_version}
  case $version in *[!0-9A-Za-z.+-]* | [!0-9]*) fail "--version requires a version such as 0.1.0, not $version" ;; esac
  url=${BRIDGE_HOOKS_URL:-$released_url}
  [ -n "$url" ] || fail "this script has no download URL; set BRIDGE_HOOKS_URL"
  url=$(printf '%s' "${url%/}" | sed "s/{version}/$version/g")
  if [ -z "$folder" ]; then
    [ -n "${HOME:-}" ] || fail "HOME is not set; pass a directory with --dir"
    folder=$HOME/.local/bin
  fi
  platform=$(find_platform) || exit 1
  has tar || fail "tar is not installed; install it to unpack the download"

  mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ] || fail "$folder can't be written to; pass another directory with --dir"
  folder=$(cd "$folder" && pwd)
  target=$folder/bridge-hooks
  check_target "$target"
  # In the target's directory, so that the last step is a rename.
  work=$(mktemp -d "$folder/.bridge-hooks-XXXXXX") || fail "$folder can't be written to; pass another directory with --dir"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM

  name=bridge-hooks-$version-$platform
  new=$work/bridge-hooks
  download "$url/SHA256SUMS" "$work/SHA256SUMS" 1 || fail "$url/SHA256SUMS can't be downloaded; nothing was installed"
  if [ -n "$without_signature" ]; then say "the signature is not verified, because of --no-signature"; else check_signature "$work"; fi
  sum=$(find_sum "$work" "$name.tar.gz") || exit 1
  download "$url/$name.tar.gz" "$work/archive" 256 || fail "$url/$name.tar.gz can't be downloaded; nothing was installed"
  [ "$(compute_sha256 "$work/archive")" = "$sum" ] || fail "the checksum of $url/$name.tar.gz differs from the release's list; nothing was installed"

  # Extract to stdout, so that links, devices and paths in the archive never reach the file system.
  tar -xzOf "$work/archive" "$name/bridge-hooks" >"$new" || fail "the archive can't be unpacked; is the disk of $folder full?"
  [ -s "$new" ] || fail "the archive has no file $name/bridge-hooks; nothing was installed"
  chmod 755 "$new"
  [ "$("$new" --version 2>/dev/null </dev/null | head -n 1)" = "$version" ] ||
    fail "the executable for $platform does not run on this machine; nothing was installed"
  if cmp -s "$new" "$target"; then
    printf '%s\n' "bridge-hooks $version is already in $target."
  else
    mv -f "$new" "$target" || fail "$target can't be replaced; nothing was installed"
    printf '%s\n' "bridge-hooks $version is in $target."
  fi
  case :$PATH: in
    *:"$folder":*) printf '%s\n' "Next: bridge-hooks install" ;;
    *) printf '%s\n' "Next: add $folder to your PATH, and run $target install" ;;
  esac
}

main "$@"
