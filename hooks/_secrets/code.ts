import { type Command, foldConstants, isInterpreter } from "bridge-hooks";
import { Level, type Walk } from "./code-model.ts";
import { splitTokens, type Token } from "./code-tokens.ts";
import { walkTokens } from "./code-walk.ts";
import { LOOP_WORDS } from "./code-words.ts";
import { ENVIRONMENT_PIECE, OTHER_ENVIRONMENT_PIECES } from "./printing-rules.ts";

// What shows a secret, and what passes one on, is listed in code-words.ts.

/** Programs that may be given code in the line, or in a here-document. */
const isCodeRunner = (program: string) => isInterpreter(program) || /^(?:jq|[gmn]?awk)$/.test(program);

/** Options of jq that name a variable. */
const NAMING_OPTION = /^--(?:arg|argjson|slurpfile|rawfile)$/;

/** Whether a program shows the value of the last statement. */
const printsResult = ({ program, args }: Command) =>
  /^(?:jq|Rscript)$/.test(program) ||
  (/^(?:node|bun|deno|tsx)$/.test(program) && args.some((arg) => /^(?:-pe?|--print)$/.test(arg)));

/** Reads code, the second time with the names of all its variables: a name may be used above its value. */
function readCode(tokens: readonly Token[], program: string, isSecret: (name: string) => boolean): Walk {
  const isLoop = tokens.some(({ kind, text }) => kind === "word" && LOOP_WORDS.has(text.toLowerCase()));
  const names = new Map<string, Level>();
  const read = () => {
    const result = { result: Level.nothing, isShown: false };
    const walk: Walk = { tokens, program, isSecret, isLoop, names, frames: [], open: new Map(), ...result };
    walkTokens(walk);
    return walk;
  };
  const first = read();
  return first.isShown || names.size === 0 ? first : read();
}

/** The texts that a command reads: from stdin, and from its here-documents. */
export const listReadTexts = ({ redirects, stdin = "" }: Command): string[] => [
  ...new Set([stdin, ...redirects.map(({ text }) => text ?? "")]),
];

/** The module of node that is `process`, and the environment as a part of it: `const { env: e } = process`. */
const PROCESS_MODULE = /\brequire\(\s{0,3}["'](?:node:)?process["']\s{0,3}\)/g;
const PROCESS_PART =
  /\{\s{0,9}(?:env\s{0,3}:\s{0,3})?(?<name>(?<=:\s{0,3})\w{1,40}|env)\s{0,9}\}\s{0,3}=\s{0,3}process\b(?!\.)/g;

/** What of the environment a program in another language shows, as a message names it. */
export function findSecretInCode(command: Command, isSecret: (name: string) => boolean): string | undefined {
  const { program, args } = command;
  if (!isCodeRunner(program)) return undefined;
  const given = program === "jq" ? args.filter((_, at) => !NAMING_OPTION.test(args[at - 1] ?? "")) : args;
  for (const code of [...given, ...listReadTexts(command)]) {
    const lower = code.toLowerCase();
    if (![ENVIRONMENT_PIECE, ...OTHER_ENVIRONMENT_PIECES].some((piece) => lower.includes(piece))) continue;
    const plain = code.replace(PROCESS_MODULE, "process").replace(PROCESS_PART, "$<name> = process.env");
    for (const reading of [plain, ...foldConstants(plain)]) {
      const { isShown, result, found } = readCode(splitTokens(reading, program), program, isSecret);
      if (isShown || (result > Level.nothing && printsResult(command)))
        return `${found ?? "the environment"} in ${program}`;
    }
  }
  return undefined;
}
