import type { Command } from "./command.ts";
import { behind, type FileUse, type Piece, piece, used } from "./operands.ts";
import { isHere } from "./scripts.ts";
import { special } from "./special.ts";

/** The files that a simple command names, and what it does with them, as far as the program is known. */
export function filesOf(command: Command): FileUse[] {
  const found: FileUse[] = [...redirected(command), ...patched(command)];
  const words = command.args.map((text, at) => piece(text, command.dynamic[at]));
  const written = command.words[command.words.length - command.args.length - 1] ?? "";
  if (/[\\/]/.test(written)) found.push({ ...piece(written, command.dynamic[-1]), access: "read" });
  for (const value of Object.values(command.env)) found.push({ text: value, access: "read", uncertain: true });
  found.push(...(special(command.program)?.(words) ?? used(command.program, words)));
  return found.map((use) => remotely(use, command)).filter(({ text }) => isName(text, command));
}

const LONGEST = 4096;

/** Whether a word may be a name; `{}` is what is found, and only known when it runs. */
const isName = (text: string, { via }: Command) =>
  text !== "" &&
  text !== "-" &&
  text.length <= LONGEST &&
  !/[\n\0]/.test(text) &&
  !(text.includes("{}") && via.length > 0);

/** `host:file`, and any file of a command that runs elsewhere. */
function remotely(use: FileUse, { remote, program }: Command): FileUse {
  if (remote) return { ...use, remote };
  const host = ["scp", "rsync"].includes(program) ? /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\/\/)/.exec(use.text) : null;
  if (host && isHere(host[0].slice(0, -1)))
    return { ...use, ...fromHome(behind(use, host[0].length)), given: use.text };
  if (host) return { ...use, ...behind(use, host[0].length), given: use.text, remote: true };
  return use.takes ? { ...use, takes: use.takes.map((name) => name.slice(name.lastIndexOf(":") + 1)) } : use;
}

/** A name as seen from the home folder. */
const fromHome = ({ text, dynamic }: Piece): Piece =>
  /^[/~]/.test(text) ? piece(text, dynamic) : { text: `~/${text}`, dynamic: `~/${dynamic ?? text}` };

function redirected({ redirects }: Command): FileUse[] {
  const files = redirects.filter(
    ({ operator, target }) => !/^<[<&]/.test(operator) && !(operator === ">&" && /^(?:\d*-?)$/.test(target)),
  );
  return files.map(({ operator, target, dynamic }) => ({
    ...piece(target, dynamic),
    access: operator === "<" ? "read" : "write",
  }));
}

/** The files of a patch in the line; a name of a diff with its first step and without it. */
const patched = ({ patched, program, args, stdin = "" }: Command): FileUse[] => [
  ...(program === "patch" || (program === "git" && args.includes("apply")) ? diffed(stdin) : []),
  ...patched
    .flatMap(({ file_path, moved_to }) => [file_path, ...(moved_to ? [moved_to] : [])])
    .map((text) => ({ text, access: "write" as const })),
];

const diffed = (diff: string): FileUse[] =>
  [...diff.matchAll(/^(?:---|\+\+\+) ([^\t\n]+)/gm)].flatMap(([, name = ""]) =>
    [name, name.slice(name.indexOf("/") + 1)].map((text): FileUse => ({ text, access: "write" })),
  );
