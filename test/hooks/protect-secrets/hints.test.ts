import { describe, expect, test } from "bun:test";
import { homedir } from "node:os";
import { SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "../../../hooks/_secrets/file-names.ts";
import { FILE_PIECES, KEEPER_PROGRAMS } from "../../../hooks/_secrets/hints.build.ts";
import { mayConcernSecrets } from "../../../hooks/_secrets/hints.ts";
import { ALIASES, KEEPERS } from "../../../hooks/_secrets/keeper-rules.ts";
import { listRequiredPieces } from "../../../hooks/_secrets/literals.ts";
import { SECRETS_RULES, type SecretsRule } from "../../../hooks/_secrets/rules.ts";
import { buildHarmfulLines } from "../../score/harmful/lines.ts";
import { buildSecretPaths } from "../../score/harmful/paths.ts";
import { askBash } from "./project.ts";

const isHinted = (line: string) => mayConcernSecrets(line, "/", []);

describe("hints of secrets", () => {
  for (const pattern of [...SECRET_NAMES, ...SECRET_PATHS, SECRET_FOLDERS])
    test(`a pattern has pieces: ${pattern.source.slice(0, 60)}`, () => {
      const pieces = listRequiredPieces(pattern) ?? [];
      expect(pieces).not.toBeEmpty();
      for (const piece of pieces) expect(FILE_PIECES.some((hint) => piece.includes(hint))).toBe(true);
    });
  test("each keeper is one, or has a word of its own", () => {
    const others = [...Object.keys(KEEPERS), ...Object.keys(ALIASES)].filter((name) => !KEEPER_PROGRAMS.includes(name));
    expect(others.sort()).toEqual(["docker", "git", "podman", "tofu", "terraform"].sort());
    for (const name of KEEPER_PROGRAMS) expect([name, isHinted(`${name} x`)]).toEqual([name, true]);
  });
  test("each path of a file of secrets", () => {
    expect(buildSecretPaths().filter((path) => !isHinted(`cat '${path.replace(/^~/, homedir())}'`))).toEqual([]);
  });
  test("each line that is denied", async () => {
    const examples = Object.values(SECRETS_RULES).flatMap(({ setting, deny }: SecretsRule) =>
      setting === "files" || setting === "printing" ? deny.filter((example) => typeof example === "string") : [],
    );
    const harmful = [...buildHarmfulLines()].flatMap(([name, lines]) => (name.endsWith("-secrets") ? lines : []));
    expect(harmful.length).toBeGreaterThan(1_500);
    const missed = [...examples, ...harmful].filter((line) => !isHinted(line));
    for (const line of missed) expect([line, await askBash(line)]).toEqual([line, undefined]);
    expect(missed.length).toBeLessThan(5);
  });
});
