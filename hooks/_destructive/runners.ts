import { type Command, listProgramNames } from "bridge-hooks";
import { type DestructivePolicy, findProgramRules, MAX_KNOWN_PROGRAMS, MAX_PROGRAM_LENGTH } from "./active-rules.ts";
import { readImageCommand } from "./image-programs.ts";
import { isWordMatch } from "./pattern.ts";
import { DEFAULT_CATEGORIES } from "./programs.build.ts";

/** Programs that run another program named in their arguments. */
const RUNNERS =
  "npx|bunx|pnpx|pnpm|yarn|npm|bun|deno|node|tsx|python*|py|php*|ruby|uv|uvx|pipx|sail|ddev|lando|symfony|castor|spring|atmos|terramate";
const getProgramName = (word: string) => listProgramNames(word)[0] ?? "";
/** Returns the program name from a package spec such as `prisma@latest` or `npm:prisma`. */
const getPackageProgram = (word: string) => getProgramName(word).replace(/^npm:|(?<=.)@[^@]*$/g, "");

/** Whether a program is a runner. The result is cached because the same programs keep recurring in shell commands. */
function isRunner(program: string): boolean {
  let is = knownRunners.get(program);
  if (is === undefined) {
    if (knownRunners.size > MAX_KNOWN_PROGRAMS) knownRunners.clear();
    is = isWordMatch(program, RUNNERS);
    if (program.length <= MAX_PROGRAM_LENGTH) knownRunners.set(program, is);
  }
  return is;
}
const knownRunners = new Map<string, boolean>();

/**
 * Returns the command passed to a runner. For example, `npx prisma@6 migrate reset` also counts as
 * `prisma migrate reset`.
 */
export function findInnerCommands(command: Command, policy: DestructivePolicy): Command[] {
  const image = readImageCommand(command);
  if (image) return [image];
  if (!isRunner(command.program)) return [];
  const at = command.args.findIndex(
    (arg) =>
      !arg.startsWith("-") && findProgramRules(getPackageProgram(arg), policy, DEFAULT_CATEGORIES).rules.length > 0,
  );
  if (at < 0) return [];
  const dynamic = Object.fromEntries(
    Object.entries(command.dynamic).map(([index, word]) => [Number(index) - at - 1, word]),
  );
  return [
    { ...command, program: getPackageProgram(command.args[at] as string), args: command.args.slice(at + 1), dynamic },
  ];
}
