import { describe, expect, test } from "bun:test";
import { AMBIGUOUS_NAMES, SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "../../../hooks/_secrets/file-names.ts";
import { FILE_SUBSTRINGS, PASSWORD_STORE_HINTS } from "../../../hooks/_secrets/hints.build.ts";
import { PROGRAM_ALIASES, PASSWORD_STORES } from "../../../hooks/_secrets/keeper-rules.ts";
import { listRequiredSubstrings } from "../../../hooks/_secrets/literals.ts";

describe("the secret hints", () => {
  for (const pattern of [...SECRET_NAMES, ...SECRET_PATHS, SECRET_FOLDERS, ...AMBIGUOUS_NAMES])
    test(`cover the pattern ${pattern.source.slice(0, 60)}`, () => {
      const pieces = listRequiredSubstrings(pattern) ?? [];
      expect(pieces).not.toBeEmpty();
      for (const piece of pieces) expect(FILE_SUBSTRINGS.some((hint) => piece.includes(hint))).toBe(true);
    });
  test("cover each secret store", () => {
    expect(Object.keys(PASSWORD_STORE_HINTS).sort()).toEqual(
      [...Object.keys(PASSWORD_STORES), ...Object.keys(PROGRAM_ALIASES)].sort(),
    );
    const named = Object.keys(PASSWORD_STORE_HINTS).filter((name) => PASSWORD_STORE_HINTS[name]?.length === 0);
    expect(named).toEqual(["pass", "gpg", "gpg2", "passage"]);
  });
});
