import { MIN_OWN_BYTES } from "../../protocol/executable-size.ts";
import { UNKNOWN } from "../../shell/screen/variables.ts";
import type { QuickSystem } from "../../system/quick-types.ts";

/** Our commands that change the policy. Two words mean that only this subcommand does so. */
const POLICY_WORDS = "|install|uninstall|update|allow|pause|export|config set|config unset|log delete|";

/** Maximum number of directories in PATH. If there are more, the full parser decides. */
const MAX_FOLDERS = 64;

/**
 * Returns whether a command may run a copy of this executable that has another name on PATH, such as `x pause` if `x`
 * is as large as a bridge-hooks executable. Names with a "/" are checked along with the command's other names.
 */
export function mayRunOwnCopy(
  commands: readonly (readonly string[])[],
  path: string | undefined,
  system: QuickSystem,
): boolean {
  // If the command copies programs, the full parser decides.
  if (mentionsPolicyCommand(commands) && commands.some(mayCopyPrograms)) return true;
  for (const words of commands)
    for (let at = 1; at < words.length; at++)
      if (mayBePolicyWord(words, at) && mayBeOwnName(findRunWord(words, at), path, commands, system)) return true;
  return false;
}

const mayCopyPrograms = (words: readonly string[]): boolean =>
  words[0] === "install" || words[0] === "link" || words.some((word) => COPYING_PROGRAMS.has(word));
const COPYING_PROGRAMS = new Set(["cp", "mv", "ln", "rsync", "scp", "ditto"]);

/** Returns whether a word of the command may be one of our commands that change the policy. */
export function mentionsPolicyCommand(commands: readonly (readonly string[])[]): boolean {
  for (const words of commands) for (let at = 0; at < words.length; at++) if (mayBePolicyWord(words, at)) return true;
  return false;
}

function mayBePolicyWord(words: readonly string[], at: number): boolean {
  const word = words[at] as string;
  if (word.includes(UNKNOWN)) return true;
  if (word === "config" || word === "log") return POLICY_WORDS.includes(`|${word} ${words[at + 1]}|`);
  return word.length < 10 && POLICY_WORDS.includes(`|${word}|`);
}

/** Returns the program that the given word would be a subcommand of. */
function findRunWord(words: readonly string[], at: number): string {
  for (let programAt = at - 1; programAt >= 0; programAt--) {
    const word = words[programAt] as string;
    if (!word.startsWith("-")) return word;
  }
  return "";
}

function mayBeOwnName(
  word: string,
  path: string | undefined,
  commands: readonly (readonly string[])[],
  system: QuickSystem,
): boolean {
  // A script may start the executable, but only its text could show that.
  if (word.endsWith("js")) return true;
  if (word === "" || word === "=" || word.includes("/")) return false;
  // If the command sets PATH, the full parser decides.
  if (setsPath(commands)) return true;
  if (path === undefined) return false;
  const isWindows = system.toNativePath !== undefined;
  const folders = path.split(isWindows ? ";" : ":", MAX_FOLDERS + 1);
  if (folders.length > MAX_FOLDERS) return true;
  return folders.some((folder) => {
    if (isWindows ? folder[1] !== ":" : !folder.startsWith("/")) return true;
    const file = `${folder}/${word}`;
    return system.measure(file) >= MIN_OWN_BYTES || (isWindows && system.measure(`${file}.exe`) >= MIN_OWN_BYTES);
  });
}

const setsPath = (commands: readonly (readonly string[])[]): boolean =>
  commands.some((words) => words.some((word) => word.startsWith("PATH=")));
