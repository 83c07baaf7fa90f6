import { readFileSync, statSync } from "bridge-hooks/files";
import { resolve } from "bridge-hooks/paths";
import type { Command } from "bridge-hooks";
import { expandHome } from "../_paths.ts";

/** A longer file is not read: whether its lines are kept is not known then. */
const MAX_BYTES = 1 << 20;

const listLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Whether a text has all lines of a file; false where that can't be told. */
function keepsLines(path: string, text: string): boolean {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) return false;
    const kept = new Set(listLines(text));
    return listLines(readFileSync(path, "utf8")).every((line) => kept.has(line));
  } catch {
    return false;
  }
}

/**
 * The write of a tool that replaces a whole file: an addition (`>>`) where the new text has all lines of the file that is
 * there.
 */
export function toAppendingWrite(command: Command, cwd: string): Command {
  const [redirect] = command.redirects;
  if (command.stdin === undefined || redirect?.operator !== ">") return command;
  return keepsLines(resolve(cwd || "/", expandHome(redirect.target)), command.stdin)
    ? { ...command, redirects: [{ ...redirect, operator: ">>" }] }
    : command;
}
