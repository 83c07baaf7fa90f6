import { sep } from "bridge-hooks/paths";
import {
  type Command,
  commands,
  DEEP_REMOVAL,
  type EventOf,
  fileCommands,
  getTargetFolder,
  type Guarded,
  homedir,
  isDryRunOfRemoval,
  listRemovedWords,
  type PathUse,
  paths,
  readFindArguments,
  shellLine,
  withoutExclusions,
} from "bridge-hooks";
import { mayPromptBeAnswered } from "./_answered.ts";
import { isOptionSet, listCertainOptions } from "./_destructive/given-options.ts";
import { findBroadWildcards } from "./_paths.ts";
import { findLookedUpExecutable, findListedFile, isFileSearch } from "./_protect-executable.ts";
import { isChangedByFind } from "./_protect-find.ts";
import { listRevertedPaths } from "./_protect-git.ts";
import { describeStartupViolation } from "./_protect-startup.ts";
import { findFileChangedByCode, mayChangePassedFiles } from "./_protect-programs.ts";
import { findFileNamedByOption } from "./_protect-options.ts";
import { typesDisablingInput, runsUncheckedInstaller, typesDisablingCommand } from "./_protect-typed.ts";
import { findCreatedFile } from "./_protect-placed.ts";
import type { HOOKS_RULES } from "./_protect-rules.ts";
import { createStep, listDirectoryNames, listOperandNames, type CommandStep } from "./_protect-step.ts";
import { findReplacedFile, findUnpackedFile } from "./_protect-copies.ts";

/** How a call would weaken the protection that hooks provide. */
interface Violation {
  rule: keyof typeof HOOKS_RULES;
  /** A clause for the denial message. */
  description: string;
  /** The command or file responsible for the violation. */
  subject?: string;
}

export function findViolation(
  event: EventOf<"PreToolUse" | "PermissionRequest">,
  guard: Guarded,
): Violation | undefined {
  const localCommands = [
    ...commands(event).flatMap((command) => (command.remote ? [] : [withoutExclusions(command)])),
    ...fileCommands(event),
  ];
  const switchOff = guard.switchedOff(localCommands) ?? describeIndirectSwitchOff(event, localCommands, guard);
  if (switchOff !== undefined) return { rule: "switch-off", description: `this call ${switchOff}` };
  const readArguments = new Set(
    localCommands.flatMap(({ program, args }) => (READ_ONLY_COMMANDS.includes(program.toLowerCase()) ? args : [])),
  );
  const isRead = ({ given, uncertain }: PathUse) => uncertain && readArguments.has(given);
  const isCovered = ({ path, named }: PathUse) => guard.covers(path) || (named !== path && guard.covers(named));
  const uses = paths(event).filter((use) => !use.remote && !isRead(use));
  const isWritten = (use: PathUse) => use.access === "write" && isCovered(use);
  const broadWildcards = findBroadWildcards(uses, isWritten);
  // If a program isn't known to change files, a wildcard rarely means that it does: `eslint *`.
  const writingUse = uses.find((use) => isWritten(use) && !(use.uncertain && broadWildcards.has(use.given)));
  const fileChange = writingUse
    ? { file: writingUse.named }
    : findChangedFile(localCommands, uses, guard, { cwd: event.cwd, line: getLine(event) });
  if (fileChange) {
    const description = `this would change ${fileChange.file}, which hooks depend on`;
    return { rule: "change-files", description, subject: fileChange.command?.words.join(" ") ?? fileChange.file };
  }
  const startupViolation = describeStartupViolation(event, uses, guard);
  if (startupViolation !== undefined) return { rule: "write-startup-file", description: startupViolation };
  const { problem } = shellLine(event);
  return problem !== undefined && event.tool === "Bash" && guard.isNamed(event.input.command)
    ? {
        rule: "unreadable-line",
        description: `this command can't be parsed (${problem}), and it names a file that hooks depend on`,
      }
    : undefined;
}

/**
 * Describes an indirect attack on hooks, such as typing a command into a terminal. The result completes a message that
 * begins with "a command in this line".
 */
function describeIndirectSwitchOff(
  event: EventOf<"PreToolUse" | "PermissionRequest">,
  allCommands: readonly Command[],
  guard: Guarded,
): string | undefined {
  if (typesDisablingCommand(allCommands, guard) || typesDisablingInput(event, guard))
    return "types a command that changes the policy";
  const line = getLine(event);
  return allCommands.some((command) => runsUncheckedInstaller(command, line))
    ? "replaces the bridge-hooks executable without verifying it"
    : undefined;
}

const getLine = (event: EventOf<"PreToolUse" | "PermissionRequest">): string =>
  event.tool === "Bash" ? event.input.command : "";

/** PowerShell and cmd.exe commands that only read files. */
const READ_ONLY_COMMANDS =
  "get-content get-item get-childitem get-filehash get-acl gc gi gci select-string sls test-path resolve-path type findstr".split(
    " ",
  );

/**
 * Finds a guarded file that would be changed by a command that doesn't write to its path directly. Returns the file and
 * the command.
 */
function findChangedFile(
  allCommands: readonly Command[],
  uses: readonly PathUse[],
  guard: Guarded,
  { cwd, line }: { cwd: string; line: string },
): { file: string; command?: Command } | undefined {
  const isAbove = (folder: string) => `${cwd}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const listGuardedBelow = ({ named }: PathUse) => (isAbove(named) ? [] : guard.within(named));
  const usesByWord = new Map<string, PathUse[]>();
  for (const use of uses) {
    const sameWordUses = use.wildcard ? undefined : usesByWord.get(use.given);
    if (sameWordUses) sameWordUses.push(use);
    else if (!use.wildcard) usesByWord.set(use.given, [use]);
  }
  let firstFile: { named: string | undefined } | undefined;
  const filledFile = findFilledFile(allCommands, uses, guard);
  if (filledFile) return filledFile;
  const findListedByOther = () =>
    (firstFile ??= { named: uses.flatMap((use) => (guard.covers(use.path) ? [use.named] : listGuardedBelow(use)))[0] })
      .named;
  const writtenPaths = new Set(uses.flatMap(({ access, named: path }) => (access === "write" ? [path] : [])));
  const searches = allCommands.filter(isFileSearch);
  for (const command of allCommands) {
    if (command.via.includes("alias") || isDryRun(command)) continue;
    const step = createStep(command, usesByWord, cwd);
    const guardedFile =
      findRemovedFile(step, guard, line) ??
      findPermissionChange(step, guard, listGuardedBelow) ??
      findLinkedFile(step, guard, (folder) => isAbove(folder) || `${homedir()}${sep}`.startsWith(folder + sep)) ??
      findReplacedFile(step, guard, writtenPaths) ??
      findUnpackedFile(step, guard) ??
      findNamedFile(step, searches, guard, listGuardedBelow) ??
      (command.more && mayChangePassedFiles(command.program, command.args) ? findListedByOther() : undefined) ??
      findFileInText(command, allCommands, guard, cwd);
    if (guardedFile !== undefined) return { file: guardedFile, command };
  }
  return undefined;
}

/** Returns a guarded file named anywhere in a command's text, regardless of how the program uses its operands. */
const findFileInText = (command: Command, all: readonly Command[], guard: Guarded, cwd: string): string | undefined =>
  findCreatedFile(command, all, guard, cwd) ??
  findFileChangedByCode(command, guard, cwd) ??
  findFileNamedByOption(command, all, guard, cwd);

/**
 * Returns the bridge-hooks executable if a command changes it after looking up its path. Otherwise, returns a guarded
 * file that an archive may contain.
 */
function findFilledFile(
  allCommands: readonly Command[],
  uses: readonly PathUse[],
  guard: Guarded,
): { file: string; command?: Command } | undefined {
  const executable = findLookedUpExecutable(allCommands, uses);
  if (executable !== undefined) return { file: executable };
  const fillingUse = uses.find(
    (use) => use.fills && listDirectoryNames(use).some((name) => guard.filled(name).length > 0),
  );
  if (!fillingUse) return undefined;
  const command = allCommands.find(({ args }) => args.some((word) => word.endsWith(fillingUse.given)));
  return { file: listDirectoryNames(fillingUse).flatMap(guard.filled)[0] as string, ...(command && { command }) };
}

/**
 * Returns a guarded file that the command reverts or removes with git, or that it changes because another command lists
 * it.
 */
const findNamedFile = (
  { command, resolveWords }: CommandStep,
  searches: readonly Command[],
  guard: Guarded,
  listGuardedBelow: (use: PathUse) => readonly string[],
): string | undefined =>
  resolveWords(listRevertedPaths(command)).flatMap(listGuardedBelow)[0] ??
  findListedFile(command, searches, guard, {
    listBelow: (word) => resolveWords([word]).flatMap(listGuardedBelow),
    listWithin: (word) => resolveWords([word]).flatMap(({ named }) => guard.within(named)),
  });

/** Whether a command only prints what it would do. */
const isDryRun = (command: Command): boolean =>
  command.program === "rsync" &&
  isOptionSet(["-n", "--dry-run", "--list-only"], listCertainOptions(command, new Set()));

/** Returns a guarded file that a command removes. */
function findRemovedFile(
  { command, operands, resolveWords }: CommandStep,
  guard: Guarded,
  line: string,
): string | undefined {
  const { program, args } = command;
  if (program === "git" && (args.includes("--cached") || isDryRunOfRemoval(args, operands))) return undefined;
  // Without recursion, only the named files are removed. `findViolation` has already checked them.
  if (/^(?:rm|rmdir|unlink)$/.test(program) && !args.some((arg) => DEEP_REMOVAL.test(arg))) return undefined;
  if (program === "find") {
    const { starts, steps } = readFindArguments(args);
    const followsLinks = args.some((word) => /^-[LH]$|^-follow$/.test(word));
    const folders = starts.length > 0 ? starts.map((at) => args[at] as string) : ["."];
    const startFolders = resolveWords(folders).map((start) =>
      followsLinks || start.given.endsWith("/") ? { ...start, named: start.path } : start,
    );
    return startFolders.flatMap((start) =>
      guard
        .within(start.named)
        .filter((file) => isChangedByFind(steps, start, file, { isAnswered: mayPromptBeAnswered(command, { line }) })),
    )[0];
  }
  const removedUses = resolveWords(listRemovedWords(command));
  return removedUses.flatMap((use) => listOperandNames(use).flatMap((name) => guard.within(name)))[0];
}

/** Returns a guarded file whose owner, group, or mode a command changes. */
const findPermissionChange = (
  { command, operands, resolveWords }: CommandStep,
  guard: Guarded,
  listGuardedBelow: (use: PathUse) => readonly string[],
): string | undefined =>
  /^ch(?:mod|own|grp)$/.test(command.program)
    ? resolveWords(operands).flatMap((use) => (guard.covers(use.path) ? [use.named] : listGuardedBelow(use)))[0]
    : undefined;

/**
 * Returns a guarded file that a link would make writable under another name. The link may point to the file or to its
 * directory. Directories that contain the project or the home directory are ignored.
 */
function findLinkedFile(
  { command, operands, resolveWords }: CommandStep,
  guard: Guarded,
  isAbove: (folder: string) => boolean,
): string | undefined {
  const { program, args } = command;
  const links =
    /^(?:ln|link)$/.test(program) ||
    (program === "cp" && args.some((word) => /^(?:-\w*[ls]|--(?:link|symbolic-link)$)/.test(word))) ||
    // A bind mount gives a directory a second path, too.
    program === "bindfs" ||
    (program === "mount" && args.some((word) => /bind$|^-\w*B/.test(word)));
  if (!links) return undefined;
  const file = resolveWords(operands).find(({ path }) => guard.covers(path))?.named;
  const sources = resolveWords(
    operands.slice(0, operands.length > 1 && getTargetFolder(command) === undefined ? -1 : undefined),
  );
  return file ?? sources.flatMap(({ path }) => (isAbove(path) ? [] : guard.within(path)))[0];
}
