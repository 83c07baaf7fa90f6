import { type Command, foldConstants, isInterpreter } from "bridge-hooks";
import { SecrecyLevel, type WalkState } from "./code-model.ts";
import { splitTokens, type Token } from "./code-tokens.ts";
import { walkTokens } from "./code-walk.ts";
import { LOOP_WORDS } from "./code-words.ts";
import { ENVIRONMENT_SUBSTRING, OTHER_ENVIRONMENT_SUBSTRINGS } from "./printing-rules.ts";

// The functions that print or return secrets are listed in code-words.ts.

/** Whether a program may run code from its arguments or a here-document. */
const isCodeRunner = (program: string) => isInterpreter(program) || /^(?:jq|[gmn]?awk)$/.test(program);

/** jq options that define a variable. */
const VARIABLE_OPTION = /^--(?:arg|argjson|slurpfile|rawfile)$/;

/** Whether a program prints the value of its last statement. */
const printsLastValue = ({ program, args }: Command) =>
  /^(?:jq|Rscript)$/.test(program) ||
  (/^(?:node|bun|deno|tsx)$/.test(program) && args.some((arg) => /^(?:-pe?|--print)$/.test(arg)));

/** Walks the code, and a second time if it binds variables, because a name can be used before it is assigned. */
function readCode(tokens: readonly Token[], program: string, isSecret: (name: string) => boolean): WalkState {
  const isLoop = tokens.some(({ kind, text }) => kind === "word" && LOOP_WORDS.has(text.toLowerCase()));
  const names = new Map<string, SecrecyLevel>();
  const walkOnce = () => {
    const result = { result: SecrecyLevel.nothing, printsSecret: false };
    const walk: WalkState = { tokens, program, isSecret, isLoop, names, frames: [], openCounts: new Map(), ...result };
    walkTokens(walk);
    return walk;
  };
  const firstResult = walkOnce();
  return firstResult.printsSecret || names.size === 0 ? firstResult : walkOnce();
}

/** Lists what a command receives from stdin and here-documents. */
export const listInputStrings = ({ redirects, stdin = "" }: Command): string[] => [
  ...new Set([stdin, ...redirects.map(({ text }) => text ?? "")]),
];

/**
 * References to Node's `process` module, and destructuring that takes the environment from it:
 * `const { env: e } = process`.
 */
const PROCESS_MODULE = /\brequire\(\s{0,3}["'](?:node:)?process["']\s{0,3}\)/g;
const PROCESS_PART =
  /\{\s{0,9}(?:env\s{0,3}:\s{0,3})?(?<name>(?<=:\s{0,3})\w{1,40}|env)\s{0,9}\}\s{0,3}=\s{0,3}process\b(?!\.)/g;

/** Describes, for use in a message, the part of the environment that inline code prints. */
export function findSecretInCode(command: Command, isSecret: (name: string) => boolean): string | undefined {
  const { program, args } = command;
  if (!isCodeRunner(program)) return undefined;
  const codeArgs = program === "jq" ? args.filter((_, at) => !VARIABLE_OPTION.test(args[at - 1] ?? "")) : args;
  for (const code of [...codeArgs, ...listInputStrings(command)]) {
    const lowerCode = code.toLowerCase();
    if (![ENVIRONMENT_SUBSTRING, ...OTHER_ENVIRONMENT_SUBSTRINGS].some((substring) => lowerCode.includes(substring)))
      continue;
    const normalizedCode = code.replace(PROCESS_MODULE, "process").replace(PROCESS_PART, "$<name> = process.env");
    for (const codeVariant of [normalizedCode, ...foldConstants(normalizedCode)]) {
      const { printsSecret, result, secretName } = readCode(splitTokens(codeVariant, program), program, isSecret);
      if (printsSecret || (result > SecrecyLevel.nothing && printsLastValue(command)))
        return `${secretName ?? "the environment"} in ${program}`;
    }
  }
  return undefined;
}
