import type { Command } from "../command.ts";
import { withoutExclusions } from "../programs/exclusions.ts";
import { removeWordPrefix, type FileUse, type WordPiece, createWordPiece, listUsedFiles } from "./operands.ts";
import { isLocalHost } from "../runs/local-host.ts";
import { findDiffedFiles } from "../../protocol/diff.ts";
import { findFileUseReader } from "./special-arguments.ts";

/** Lists the existing files whose contents a command replaces. Only known programs are covered. */
export const listReplacedFiles = (command: Command): FileUse[] =>
  listFileUses(command).filter(({ replaces }) => replaces);

/** Lists the files in a command's words and how the command uses them. Only known programs are covered. */
export function listFileUses(writtenCommand: Command): FileUse[] {
  const command = withoutExclusions(writtenCommand);
  const fileUses: FileUse[] = [...listRedirectedFiles(command), ...listPatchedFiles(command)];
  const words = command.args.map((text, at) => createWordPiece(text, command.dynamic[at]));
  const originalName = command.words[command.words.length - command.args.length - 1] ?? "";
  if (/[\\/]/.test(originalName))
    fileUses.push({ ...createWordPiece(originalName, command.dynamic[-1]), access: "read" });
  for (const value of Object.values(command.env)) fileUses.push({ text: value, access: "read", uncertain: true });
  fileUses.push(...(findFileUseReader(command.program)?.(words) ?? listUsedFiles(command.program, words)));
  return fileUses.map((use) => resolveRemoteUse(use, command)).filter(({ text }) => mayBeFileName(text, command));
}

const MAX_NAME_LENGTH = 4096;

/** Whether a word may be a file name. `{}` is not: it stands for files that are unknown until run time. */
const mayBeFileName = (text: string, { via }: Command) =>
  text !== "" &&
  text !== "-" &&
  text.length <= MAX_NAME_LENGTH &&
  !/[\n\0]/.test(text) &&
  !(text.includes("{}") && via.length > 0);

/** Marks a file use as remote if the file is written as `host:file` or the command itself is remote. */
function resolveRemoteUse(use: FileUse, { remote, program }: Command): FileUse {
  if (remote) return { ...use, remote };
  const host = ["scp", "sftp", "rsync"].includes(program) ? /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\/\/)/.exec(use.text) : null;
  if (host && isLocalHost(host[0].slice(0, -1)))
    return { ...use, ...resolveFromHome(removeWordPrefix(use, host[0].length)), given: use.text };
  if (host) return { ...use, ...removeWordPrefix(use, host[0].length), given: use.text, remote: true };
  return use.takes ? { ...use, takes: use.takes.map((name) => name.slice(name.lastIndexOf(":") + 1)) } : use;
}

/** Resolves a path relative to the home directory instead of the current directory. */
const resolveFromHome = ({ text, dynamic }: WordPiece): WordPiece =>
  /^[/~]/.test(text) ? createWordPiece(text, dynamic) : { text: `~/${text}`, dynamic: `~/${dynamic ?? text}` };

function listRedirectedFiles({ redirects }: Command): FileUse[] {
  const files = redirects.filter(
    ({ operator, target }) => !/^<[<&]/.test(operator) && !(operator === ">&" && /^(?:\d*-?)$/.test(target)),
  );
  return files.map(({ operator, target, dynamic }) => ({
    ...createWordPiece(target, dynamic),
    access: operator === "<" ? "read" : "write",
    ...(/^&?>[|&]?$/.test(operator) && { replaces: true }),
  }));
}

/** Lists files changed by a patch or diff in the command line. */
function listPatchedFiles({ patched, program, args, stdin = "" }: Command): FileUse[] {
  const isDiffCommand = program === "patch" || (program === "git" && args.some((word) => /^(?:apply|am)$/.test(word)));
  return [...(isDiffCommand ? findDiffedFiles(stdin) : []), ...patched].flatMap(
    ({ file_path, moved_to, operation }): FileUse[] => [
      {
        text: file_path,
        access: "write",
        change: operation === "delete" || operation === "move" ? "delete-all" : "edit",
      },
      ...(moved_to ? [{ text: moved_to, access: "write", change: "edit" } as const] : []),
    ],
  );
}
