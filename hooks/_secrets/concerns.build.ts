import type { Concerns } from "bridge-hooks";
import { TYPING_CONCERNS } from "../_typing-concerns.ts";
import { SECRET_EXAMPLE_NAMES } from "./file-names.ts";
import { DUMP_LETTERS, FILE_SUBSTRINGS, PASSWORD_STORE_HINTS, NAME_SUBSTRINGS } from "./hints.build.ts";
import {
  DUMP_COMMANDS,
  ENVIRONMENT_SUBSTRING,
  OTHER_ENVIRONMENT_SUBSTRINGS,
  REQUEST_SUBSTRINGS,
} from "./printing-rules.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/** Password store commands, each with a word that requests a secret. */
const PASSWORD_STORE_WORDS = Object.entries(PASSWORD_STORE_HINTS).flatMap(([name, parts]) =>
  parts.length === 0 ? [name] : parts.map((part) => `${name} *${part}*`),
);
const DUMP_PROGRAMS = Object.keys(DUMP_COMMANDS);

/** Substrings computed at build time. `protect-secrets` checks only calls that contain at least one of them. */
export const CONCERNS: Concerns = {
  words: [
    ...PASSWORD_STORE_WORDS,
    // To allow for Ruby code such as `ENV.to_h`.
    ...DUMP_PROGRAMS.filter((name) => name.includes(ENVIRONMENT_SUBSTRING)).flatMap((name) => [name, `${name}.*`]),
    ...TYPING_CONCERNS,
    ...["ps", "powershell", "pwsh", "cmd", "commit", "envsubst", "strenv", "make *$(*"],
    ...["ls-files read", "ls-files mapfile", "php -i", "php --info"],
    // These programs can find a file by any part of its name.
    ...["fd", "fdfind"],
  ],
  bareWords: {
    ...DUMP_LETTERS,
    // With an option, these can give a variable another name: `declare -n`.
    ...Object.fromEntries(["declare", "typeset", "local"].map((name) => [name, ALPHABET])),
  },
  expansions: NAME_SUBSTRINGS,
  names: SECRET_EXAMPLE_NAMES,
  texts: [
    ...[...FILE_SUBSTRINGS, ...OTHER_ENVIRONMENT_SUBSTRINGS, ...REQUEST_SUBSTRINGS],
    ...["credential", "inspect", "environ", "dotenv_values", `.${ENVIRONMENT_SUBSTRING}`, "getenv", "get_env"],
  ],
  contents: "secrets",
  narrowedBy: ["allow", "ignore"],
  ruleCategories: ["secrets"],
};
