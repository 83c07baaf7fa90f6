import { readFileSync, statSync } from "bridge-hooks/files";
import { resolve } from "bridge-hooks/paths";
import type { Command } from "bridge-hooks";
import { expandHome } from "../_paths.ts";

/** Maximum size of a file to read. A larger file is treated as overwritten. */
const MAX_FILE_BYTES = 1 << 20;

const listLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Whether a string contains every line of a file; false if the file can't be read. */
function containsFileLines(path: string, text: string): boolean {
  try {
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES) return false;
    const newLines = new Set(listLines(text));
    return listLines(readFileSync(path, "utf8")).every((line) => newLines.has(line));
  } catch {
    return false;
  }
}

/** Converts a tool's full write to an append (`>>`) if the new contents include every line of the existing file. */
export function toAppendWrite(command: Command, cwd: string): Command {
  const [redirect] = command.redirects;
  if (command.stdin === undefined || redirect?.operator !== ">") return command;
  return containsFileLines(resolve(cwd || "/", expandHome(redirect.target)), command.stdin)
    ? { ...command, redirects: [{ ...redirect, operator: ">>" }] }
    : command;
}
