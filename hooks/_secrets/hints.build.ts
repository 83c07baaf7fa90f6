import { SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "./file-names.ts";
import { ALIASES, KEEPERS } from "./keeper-rules.ts";
import { listRequiredPieces, removeLonger } from "./literals.ts";

/** What a pattern of a file's name needs; the build fails for one that needs nothing. */
function requirePieces(pattern: RegExp): readonly string[] {
  const pieces = listRequiredPieces(pattern);
  if (!pieces) throw new Error(`${pattern.source}: no text is in every name that it fits`);
  return pieces;
}

const FILE_PATTERNS = [...SECRET_NAMES, ...SECRET_PATHS, SECRET_FOLDERS];

/** One of these stands in a step of every path of a file of secrets that is known by its name, in small letters. */
export const FILE_PIECES = removeLonger(FILE_PATTERNS.flatMap(requirePieces));
export const FILE_HINT = FILE_PIECES.map((piece) => piece.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&")).join("|");

/** These are in every other line: each has a word of its own in hints.ts. */
const COMMON_KEEPERS = new Set(["git", "docker", "podman", "terraform", "tofu"]);

/** Programs that keep secrets. */
export const KEEPER_PROGRAMS = [...new Set([...Object.keys(KEEPERS), ...Object.keys(ALIASES)])].filter(
  (name) => !COMMON_KEEPERS.has(name),
);
