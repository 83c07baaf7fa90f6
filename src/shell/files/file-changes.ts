import type { Command } from "../command.ts";
import { isInterpreter } from "../programs/index.ts";
import { readGitArguments } from "../programs/git-arguments.ts";
import type { FileChangeKind } from "../programs/program.ts";
import type { FileUse } from "./operands.ts";
import { findRemovedWords } from "./removed-paths.ts";

/** Options that make a program modify its file arguments: `eslint --fix x`. */
const CHANGE_OPTION = /^--?(?:fix|write|overwrite|in-?place|apply)(?:=|$)|^-w$/;
/** Programs that change permissions or owners, or that create directories. */
const METADATA_PROGRAM = /^(?:mkdir|md|ch(?:mod|own|grp|attr|con)|setfacl|icacls|attrib)$/;
/** Calls in interpreted code that remove or rename files. */
const REMOVAL_CALL = /unlink|remove|rmtree|rmdir|rmSync|\brm(?:_rf?)?\(|rename|\bmove|\bmv\(|delete/i;

/** Sets the kind of change for each file that a command is certain to change. */
export function setChangeKinds(command: Command, fileUses: readonly FileUse[]): FileUse[] {
  const { program, args, more } = command;
  if (!fileUses.some(({ access }) => access === "write")) return [...fileUses];
  const { words, isDeep } = findRemovedWords(command);
  const removedWords = new Set(words);
  const isGitWrite = program === "git" && /^(?:checkout|restore)$/.test(readGitArguments(args).verb);
  const changesAll = isGitWrite || args.some((arg) => CHANGE_OPTION.test(arg));
  const describe = (use: FileUse): FileChangeKind | undefined => {
    if (isInterpreter(program)) return use.uncertain ? undefined : REMOVAL_CALL.test(args.join(" ")) ? "any" : "edit";
    if (removedWords.has(use.given ?? use.text) || (more && removedWords.size > 0))
      return program === "rsync" ? "any" : isDeep ? "delete-all" : "delete";
    if (METADATA_PROGRAM.test(program)) return undefined;
    return use.uncertain && !changesAll ? undefined : "edit";
  };
  return fileUses.map((use) => {
    const change = use.access === "write" ? (use.change ?? describe(use)) : undefined;
    return change === undefined ? use : { ...use, change };
  });
}
