import { describe, expect, test } from "bun:test";
import { AMBIGUOUS_NAMES, SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "../../../hooks/_secrets/file-names.ts";
import { FILE_PIECES, KEEPER_HINTS } from "../../../hooks/_secrets/hints.build.ts";
import { ALIASES, KEEPERS } from "../../../hooks/_secrets/keeper-rules.ts";
import { listRequiredPieces } from "../../../hooks/_secrets/literals.ts";

describe("the secret hints", () => {
  for (const pattern of [...SECRET_NAMES, ...SECRET_PATHS, SECRET_FOLDERS, ...AMBIGUOUS_NAMES])
    test(`cover the pattern ${pattern.source.slice(0, 60)}`, () => {
      const pieces = listRequiredPieces(pattern) ?? [];
      expect(pieces).not.toBeEmpty();
      for (const piece of pieces) expect(FILE_PIECES.some((hint) => piece.includes(hint))).toBe(true);
    });
  test("cover each secret store", () => {
    expect(Object.keys(KEEPER_HINTS).sort()).toEqual([...Object.keys(KEEPERS), ...Object.keys(ALIASES)].sort());
    const named = Object.keys(KEEPER_HINTS).filter((name) => KEEPER_HINTS[name]?.length === 0);
    expect(named).toEqual(["pass", "gpg", "gpg2", "passage"]);
  });
});
