#!/bin/sh
# Builds a macOS installer package from a release's archive, on a Mac. Signs the executable and the package with the
# certificates that you pass, and has Apple notarize the package if you pass a notary profile. With --layout, on any
# system, it only creates the directory that the package would contain.
#
#   sh make-pkg.sh ARCHIVE OUT [--layout] [--application IDENTITY] [--installer IDENTITY] [--notary PROFILE]
set -eu

fail() {
  printf '%s\n' "make-pkg: $*" >&2
  exit 1
}

archive='' out='' layout='' application='' installer='' notary=''
while [ $# -gt 0 ]; do
  case $1 in
    --layout)
      layout=1
      shift
      ;;
    --application | --installer | --notary)
      [ $# -ge 2 ] || fail "$1 takes a value"
      case $1 in
        --application) application=$2 ;;
        --installer) installer=$2 ;;
        --notary) notary=$2 ;;
      esac
      shift 2
      ;;
    -*) fail "unknown option $1" ;;
    *)
      if [ -z "$archive" ]; then archive=$1; elif [ -z "$out" ]; then out=$1; else fail "unexpected argument $1"; fi
      shift
      ;;
  esac
done
[ -n "$out" ] || fail "pass the archive, such as bridge-hooks-0.1.0-darwin-arm64.tar.gz, and the directory to create"
[ ! -e "$out" ] || fail "$out exists; pass another directory"
[ -z "$notary" ] || [ -n "$installer" ] || fail "Apple notarizes only signed packages; add --installer"
[ -z "$notary" ] || [ -n "$application" ] || fail "Apple notarizes only signed executables; add --application"

here=$(cd "$(dirname "$0")" && pwd)
folder=$(basename "$archive" .tar.gz)
version=${folder#bridge-hooks-} version=${version%%-darwin-*}
case $folder in
  *-darwin-arm64) arch=arm64 ;;
  *-darwin-x64) arch=x86_64 ;;
  *) fail "$archive is not an archive for macOS" ;;
esac
if [ -z "$layout" ]; then
  for program in codesign pkgbuild productbuild xcrun; do
    command -v "$program" >/dev/null 2>&1 || fail "$program is not installed; run this script on a Mac, or pass --layout"
  done
fi

trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$out/work"
tar -xzf "$archive" -C "$out/work" || fail "$archive can't be unpacked"
from=$out/work/$folder root=$out/root
umask 022
# Directories where mdm expects the executable and the managed config.
mkdir -p "$root/opt/bridge-hooks/share" "$root/private/etc/paths.d" "$root/Library/Application Support/bridge-hooks"
cp "$from/bridge-hooks" "$root/opt/bridge-hooks/bridge-hooks"
cp -R "$from/LICENSE" "$from/THIRD-PARTY-NOTICES.txt" "$from/man" "$from/completions" "$root/opt/bridge-hooks/share/"
printf '%s\n' /opt/bridge-hooks >"$root/private/etc/paths.d/bridge-hooks"
chmod -R u=rwX,go=rX "$root"
chmod 755 "$root/opt/bridge-hooks/bridge-hooks"
cat >"$out/distribution.xml" <<END
<?xml version="1.0" encoding="utf-8"?>
<installer-gui-script minSpecVersion="2">
  <title>bridge-hooks $version</title>
  <options customize="never" require-scripts="false" hostArchitectures="$arch"/>
  <domains enable_localSystem="true"/>
  <choices-outline><line choice="default"/></choices-outline>
  <choice id="default"><pkg-ref id="bridge-hooks"/></choice>
  <pkg-ref id="bridge-hooks" version="$version">component.pkg</pkg-ref>
</installer-gui-script>
END
rm -r "$out/work"
if [ -n "$layout" ]; then
  trap - EXIT
  printf '%s\n' "$root"
  exit 0
fi

if [ -n "$application" ]; then
  codesign --force --options runtime --timestamp --entitlements "$here/entitlements.plist" --sign "$application" \
    "$root/opt/bridge-hooks/bridge-hooks"
  codesign --verify --strict "$root/opt/bridge-hooks/bridge-hooks"
fi
pkgbuild --root "$root" --identifier bridge-hooks --version "$version" --install-location / --ownership recommended \
  "$out/component.pkg"
package=$out/bridge-hooks-$version-macos-$arch.pkg
set -- --distribution "$out/distribution.xml" --package-path "$out"
[ -z "$installer" ] || set -- "$@" --sign "$installer"
productbuild "$@" "$package"
rm -r "$root" "$out/component.pkg" "$out/distribution.xml"
if [ -n "$notary" ]; then
  xcrun notarytool submit "$package" --keychain-profile "$notary" --wait
  xcrun stapler staple "$package"
fi
trap - EXIT
printf '%s\n' "$package"
