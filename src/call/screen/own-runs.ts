import { MIN_OWN_BYTES } from "../../protocol/own-image.ts";
import { UNKNOWN } from "../../shell/screen/variables.ts";
import type { QuickSystem } from "../../system/quick-types.ts";

/** The words with which our commands begin that change the policy; of some, the next word decides. */
const POLICY_WORDS = "|install|uninstall|update|allow|pause|export|config set|config unset|log delete|";

/** The path of a program is a list of folders; where there are more, the parser looks. */
const MAX_FOLDERS = 64;

/**
 * Whether one of some commands may run this executable under another name that is found on PATH: `x pause`, where `x` is
 * as large as executables of ours. Names with a "/" are looked at with the others of the line.
 */
export function mayRunOwnCopy(
  commands: readonly (readonly string[])[],
  path: string | undefined,
  system: QuickSystem,
): boolean {
  // Where the line copies programs, the parser looks.
  if (mentionsPolicyCommand(commands) && commands.some(mayCopyPrograms)) return true;
  for (const words of commands)
    for (let at = 1; at < words.length; at++)
      if (mayBePolicyWord(words, at) && mayBeOwnName(findRunWord(words, at), path, commands, system)) return true;
  return false;
}

const mayCopyPrograms = (words: readonly string[]): boolean =>
  words[0] === "install" || words[0] === "link" || words.some((word) => COPYING_PROGRAMS.has(word));
const COPYING_PROGRAMS = new Set(["cp", "mv", "ln", "rsync", "scp", "ditto"]);

/** Whether a word of the line may be a command of ours that changes the policy. */
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

/** The word that would be the program of which another word is the command. */
function findRunWord(words: readonly string[], at: number): string {
  for (let before = at - 1; before >= 0; before--) {
    const word = words[before] as string;
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
  // A script may be what starts the executable: its text tells.
  if (word.endsWith("js")) return true;
  if (word === "" || word === "=" || word.includes("/")) return false;
  // Where the line says where programs are, the parser looks.
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
