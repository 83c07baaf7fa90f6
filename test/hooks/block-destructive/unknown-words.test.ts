import { describe, expect, test } from "bun:test";
import { askLine, type LineCases } from "./support.ts";

/** Words that are only known at run time, each kind with its twins that do no harm. */
const CASES: Readonly<Record<string, LineCases>> = {
  "a variable without a value at the end of a root": {
    denied: [
      'rm -rf "/$UNSET"',
      "rm -rf /${UNSET}",
      'rm -rf "$HOME/$SUB"',
      "rm -rf /home/$USERX",
      "rm -rf ~/$x",
      "rm -rf /$x/",
      "rm -rf /$(cmd)",
      "rm -rf /`cmd`",
      "rm -rf $X/$Y",
      'rm -rf "${X}/${Y}"/*',
      "rm -rf /usr/$X",
      "rm -rf ${HOME}/${SUB:-}",
      "rm -rf ${HOME}/${SUB:+}",
      'rm -rf "$HOME$SUFFIX"',
      'rm -rf "$HOME/$A/$B"',
      'find "/$X" -delete',
      'chmod -R 777 "/$X"',
      "rm -rf $X/../",
      "bash -c 'rm -rf \"/$DIR\"'",
      'unset X; rm -rf "$HOME/$X"',
      "rm -rf /home/$USER",
      "rm -rf /home/$(whoami)",
    ],
    allowed: [
      'rm -rf "$BUILD_DIR"',
      'rm -rf "$TMPDIR/x"',
      "rm -rf /tmp/$x",
      'rm -rf "$HOME/.cache/$app"',
      "rm -rf ./$x",
      "rm -rf build/$x",
      'rm -rf "$OUT/dist/$name"',
      'rm -rf "$PWD/build/$x"',
      'X=build; rm -rf "./$X"',
      'rm -rf "/${x:?}"',
      'rm -rf "$HOME/${x?}"',
      'rm -rf "$HOME/${x:-old-project/dist}"',
      'set -eu; rm -rf "/opt/$x"',
      'set -euo pipefail; rm -rf "$HOME/$x"',
      'set -o nounset; rm -rf "$HOME/$x"',
      'T=$(mktemp -d); rm -rf "$T/"',
      'T=$(mktemp -d); rm -rf "$T/$x"',
      'rm -rf "$(mktemp -d)/x"',
      "rm -rf ~/code/other/$x",
      'rm -rf "$(npm config get cache)/"*',
      "rm -rf /tmp/build-$x",
      'echo rm -rf "/$X"',
    ],
  },
};

for (const [name, { denied, allowed }] of Object.entries(CASES))
  describe(`block-destructive on ${name}`, () => {
    for (const command of denied)
      test(`denies ${command}`, async () => expect((await askLine(command))?.decision).toBe("deny"));
    for (const command of allowed)
      test(`lets pass ${command}`, async () => expect(await askLine(command)).toBeUndefined());
  });
