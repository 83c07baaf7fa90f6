import { expect, test } from "bun:test";
import { resolveWord, splitWord, type WordValue } from "../../src/shell/words/values.ts";

const FOLDERS = {
  home: "/home/me",
  current: "/srv",
  previous: "/before",
  repository: "/srv",
  users: "/home",
  getVariable: (name: string) => ({ A: "dir/file.txt", EMPTY: "" })[name],
};

/** Formats a value on one line: the path, `pattern …`, `below … without NAMES`, or `any`. */
const show = (value: WordValue): string => {
  switch (value.kind) {
    case "path":
      return value.text;
    case "pattern":
      return `pattern ${value.pattern}`;
    case "below":
      return `below ${value.text}${value.isContents ? "*" : ""} without ${value.empty.join(" ")}`;
    case "any":
      return "any";
  }
};

const CASES: Readonly<Record<string, string>> = {
  "~/x": "/home/me/x",
  "\\~/x": "~/x",
  "~+/x": "/srv/x",
  "~-": "/before",
  "~root/x": "/home/root/x",
  "$HOME/x": "/home/me/x",
  "${HOME:?}/x": "/home/me/x",
  "/home/$USER": "/home/me",
  "/home/$(whoami)/x": "/home/me/x",
  "${HOME%/*}": "/home",
  "${PWD##*/}": "srv",
  "${A%.txt}": "dir/file",
  "${A%%/*}": "dir",
  "${A#*/}": "file.txt",
  "${A/file/x}": "dir/x.txt",
  "${A:0:3}": "dir",
  "${A^^}": "DIR/FILE.TXT",
  "$(pwd)/..": "/srv/..",
  "`git rev-parse --show-toplevel`": "/srv",
  "a\\**": "pattern a\\**",
  "~/.s?h": "pattern /home/me/.s?h",
  "/$X": "below / without X",
  "/$X/$(cmd)": "below // without X $(cmd)",
  "$X/": "below / without X",
  "$X/*": "below /* without X",
  "$HOME$X/.*": "below /home/me/* without X",
  "~/${x:-}": "below /home/me/ without x",
  "/${x:+y}": "below / without x",
  $X: "any",
  "$X*": "any",
  $X$Y: "any",
  "$X/build": "any",
  "$(cmd)/": "any",
  "/${X:?}": "any",
  "/${X:-y}": "any",
  "/$$": "any",
  "/x-$(date)": "any",
  "/$X.log": "any",
  "~/$X/build": "any",
};

for (const [word, expected] of Object.entries(CASES))
  test(`resolveWord resolves ${word} to ${expected}`, () =>
    expect(show(resolveWord({ text: word, dynamic: word }, FOLDERS))).toBe(expected));

test("resolveWord returns a known word unchanged", () =>
  expect(resolveWord({ text: "$HOME/*" }, FOLDERS)).toEqual({ kind: "path", text: "$HOME/*" }));

test("splitWord extends an unterminated expansion to the end of the word", () =>
  expect(splitWord("a$(b ')' \"$(c\" x")).toEqual([
    { kind: "text", text: "a" },
    { kind: "command", text: "$(b ')' \"$(c\" x" },
  ]));
