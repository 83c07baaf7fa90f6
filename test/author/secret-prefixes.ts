import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SECRET_RULES } from "../../src/run/secret-kinds/index.ts";

export const PREFIXES_FILE = join(import.meta.dir, "../../src/run/secret-prefixes.ts");

/** The literal pieces of all rules, as the part of `secrets()` has them that every caller loads. */
export function formatPrefixes(): string {
  const listPieces = (wanted: string) => {
    const rules = SECRET_RULES.filter(({ place = "start" }) => place === wanted);
    return [...new Set(rules.flatMap(({ prefixes }) => prefixes))].sort().join(" ");
  };
  return `// Generated from the rules in src/run/secret-kinds: bun test/author/secret-prefixes.ts

/** What stands at the beginning of a secret. */
export const TOKEN_PREFIXES =
  ${JSON.stringify(listPieces("start"))};

/** What stands inside of one. */
export const INNER_PIECES = ${JSON.stringify(listPieces("inside"))};

/** What stands before one. */
export const NAMES =
  ${JSON.stringify(listPieces("before"))};
`;
}

if (import.meta.main) writeFileSync(PREFIXES_FILE, formatPrefixes());
