import type { Concerns } from "bridge-hooks";
import { TYPING_CONCERNS } from "../_typing-concerns.ts";
import { SECRET_EXAMPLES } from "./file-names.ts";
import { DUMP_LETTERS, FILE_PIECES, KEEPER_HINTS, NAME_PIECES } from "./hints.build.ts";
import { ENVIRONMENT_DUMPS, ENVIRONMENT_PIECE, OTHER_ENVIRONMENT_PIECES, REQUEST_PIECES } from "./printing-rules.ts";

const ANY_LETTER = "abcdefghijklmnopqrstuvwxyz";

/** Password store commands with the words of a secret request, and programs that may print the environment when they have no arguments. */
const KEEPER_WORDS = Object.entries(KEEPER_HINTS).flatMap(([name, parts]) =>
  parts.length === 0 ? [name] : parts.map((part) => `${name} *${part}*`),
);
const DUMPS = Object.keys(ENVIRONMENT_DUMPS);

/** Text of which a call must contain some to be checked by `protect-secrets`; computed at build time. */
export const CONCERNS: Concerns = {
  words: [
    ...KEEPER_WORDS,
    // `ENV.to_h` is Ruby code.
    ...DUMPS.filter((name) => name.includes(ENVIRONMENT_PIECE)).flatMap((name) => [name, `${name}.*`]),
    ...TYPING_CONCERNS,
    ...["ps", "powershell", "pwsh", "cmd", "commit", "envsubst", "strenv", "make *$(*"],
    ...["ls-files read", "ls-files mapfile", "php -i", "php --info"],
    // These programs find files by a substring of the name.
    ...["fd", "fdfind"],
  ],
  bareWords: {
    ...DUMP_LETTERS,
    // An option may create a variable under another name: `declare -n`.
    ...Object.fromEntries(["declare", "typeset", "local"].map((name) => [name, ANY_LETTER])),
  },
  expansions: NAME_PIECES,
  names: SECRET_EXAMPLES,
  texts: [
    ...[...FILE_PIECES, ...OTHER_ENVIRONMENT_PIECES, ...REQUEST_PIECES],
    ...["credential", "inspect", "environ", "dotenv_values", `.${ENVIRONMENT_PIECE}`, "getenv", "get_env"],
  ],
  contents: "secrets",
  narrowedBy: ["allow", "ignore"],
  ruleCategories: ["secrets"],
};
