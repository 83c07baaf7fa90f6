import { posix } from "bridge-hooks/paths";
import type { Command } from "bridge-hooks";
import { findApiDeletion, findProductDeletion } from "./api-calls.ts";
import { findConfirmedFolder, findChangedFolder, findDeletedFolder } from "./find-deletions.ts";
import {
  findChangedWorktree,
  findListedFiles,
  describeDiscardedChanges,
  findStashCommand,
  findUntrackedFiles,
} from "./git-losses.ts";
import { findFetchedBranch, findOrphaningBranch } from "./git-moves.ts";
import { isChangedTree } from "./git-places.ts";
import { CODE_PLACEHOLDERS } from "./code-calls.ts";
import { COMMAND_CONDITIONS } from "./conditions.ts";
import { DISK_PREFIXES } from "./disk-paths.ts";
import { DOWNLOAD_SETS, startsFile } from "./download-finders.ts";
import { findDeletedOutsidePath, findMovedOutsidePath } from "./outside-operands.ts";
import { findSshBlock } from "./firewalls.ts";
import { findMirroredOutsidePath } from "./mirrors.ts";
import { DATABASE_SETS } from "./framework-code.ts";
import { type OperandFinder, createPathFinder } from "./place-finder.ts";
import { SYSTEM_PROGRAMS } from "./precious-files.ts";
import { findEndedProcesses } from "./process-kills.ts";
import { PRODUCT_SETS } from "./product-conditions.ts";
import { type LineContext, isSameOrAbove, type OperandWord, type OperandPath, normalizePath } from "./line-context.ts";
import {
  resolveCommandFolder,
  resolvePathLinks,
  isPrecious,
  isOverwritten,
  isPreciousFile,
  isSystemPath,
  isTopFolder,
  isDataPath,
  resolveOperandPath,
} from "./places.ts";
import { DESTRUCTIVE_WORDS } from "./sql/destroying-words.ts";
import { isTestDatabase, STATEMENT_FINDERS } from "./statements.ts";
import { findDeletedKind } from "./tool-deletions.ts";

/** A set that patterns refer to by name, such as `<disk>`. */
interface OperandSet {
  /**
   * Lowercase substrings. The set can only match if the shell command contains at least one of them. Absent if none is
   * required.
   */
  words?: readonly string[];
  /**
   * Returns the first operand in the set, formatted for messages. `operands` contains only those after the pattern's
   * words.
   */
  find: OperandFinder;
}

/** Whether a path is a disk or partition. */
export const isDisk = (path: string): boolean =>
  DISK_PREFIXES.some((disk) => path.startsWith(disk)) || /^[\\/]{2}[.?][\\/]physicaldrive/i.test(path);

/** Shared branches. */
const MAIN_BRANCH =
  /^(refs\/heads\/)?(main|master|trunk|develop|development|dev|production|prod|staging|stable|gh-pages|release([-/].*)?|v?\d+\.x)$/;

const createTextFinder =
  (predicate: (word: OperandWord, command: Command) => boolean): OperandFinder =>
  (operands, command) =>
    operands.find((operand) => predicate(operand, command))?.text;

const findPrecious = createPathFinder(isPrecious);
const findChangedTree = createPathFinder(({ path, remote }, context) => !remote && isChangedTree(path, context));
/**
 * Finds a precious directory. For a linked worktree, the result includes the reason, because the worktree's name
 * doesn't show that it is precious.
 */
const findPreciousFolder: OperandFinder = (operands, command, context) => {
  const precious = findPrecious(operands, command, context);
  return precious !== undefined && findChangedTree(operands, command, context) === precious
    ? `${precious} (a linked worktree with uncommitted changes)`
    : precious;
};
const findPreciousFile = createPathFinder(isPreciousFile);
export const findOverwrittenFile = createPathFinder(isOverwritten);
const findDisk = createTextFinder(({ text }) => isDisk(text));
/** Finds an operand that covers the whole repository, the working directory, or another repository's root. */
const findWholeTree: OperandFinder = (operands, command, context) => {
  const isRepositoryRoot = (target: OperandPath) =>
    target.path === resolveCommandFolder(command, context) &&
    normalizePath(context.repository(target.path)?.root ?? "") ===
      resolvePathLinks({ ...target, isBehindLink: true }, context).path;
  const wholeTree = operands.find(({ text }) => /^:?\/?\*?$/.test(text))?.text;
  return (
    wholeTree ??
    createPathFinder(
      (target, { folders }) =>
        folders.some((folder) => isSameOrAbove(target.path, folder)) || (!target.remote && isRepositoryRoot(target)),
    )(operands, command, context)
  );
};
/** Finds directories that must not be moved as a whole. Moving their contents is allowed. */
const findMovedFolder = createPathFinder((target, context) =>
  target.isContents
    ? target.path === context.home || isTopFolder(target.path)
    : isSystemPath(target.path, context.home) ||
      (!target.remote && SYSTEM_PROGRAMS.test(target.path)) ||
      isPrecious(target, { ...context, home: "" }),
);

/** Returns a data file that is only renamed within its directory, which is allowed. */
const isRenamed: OperandFinder = (operands, command, context) => {
  const [from, to, ...more] = operands.map((operand) => resolveOperandPath(operand, command, context));
  const isRenamedData = from && to && more.length === 0 && !from.isContents && isDataPath(from.path);
  return isRenamedData && posix.dirname(from.path) === posix.dirname(to.path) ? from.text : undefined;
};

/**
 * Creates a finder for Kubernetes resource kinds in operands such as `pvc x`, `deploy,pvc -l a=b`, or `pod/x pvc/y`.
 */
const createKindFinder =
  (predicate: RegExp): OperandFinder =>
  (operands) =>
    operands.find(
      ({ text }, at) =>
        (at === 0 || text.includes("/")) &&
        text.split(",").some((kindName) => predicate.test(kindName.split(/[/.]/, 1)[0] as string)),
    )?.text;

const findWildcardForAll: OperandFinder = (operands, command, { commands }) => {
  const precedingCommand = command.more ? commands[commands.indexOf(command) - 1] : undefined;
  const isAll = precedingCommand?.args.every((arg) => /^(?:-\w+|\*)$/.test(arg)) === true;
  return operands.find(({ text }) => /^\\?\*$/.test(text))?.text ?? (isAll ? "*" : undefined);
};

export const OPERAND_SETS: Readonly<Record<string, OperandSet>> = {
  /** A precious directory. */
  folder: { find: findPreciousFolder },
  /** A protected file or directory. */
  file: { find: findPreciousFile },
  /** A protected file that is overwritten. */
  overwritten: { find: findOverwrittenFile },
  /** A system or home directory. */
  system: { find: createPathFinder(({ path }, { home }) => isSystemPath(path, home)) },
  moved: {
    find: (operands, command, context) =>
      isRenamed(operands, command, context) ? undefined : findMovedFolder(operands.slice(0, -1), command, context),
  },
  destination: { find: (operands, command, context) => findPreciousFolder(operands.slice(-1), command, context) },
  disk: { words: ["/dev/", "physicaldrive"], find: findDisk },
  last: {
    words: ["/dev/", "physicaldrive"],
    find: (operands, command, context) => findDisk(operands.slice(-1), command, context),
  },
  /** A disk, or an operand that could expand to one. */
  device: { find: createTextFinder(({ text, dynamic }) => isDisk(text) || dynamic !== undefined) },
  drive: { words: [":"], find: createTextFinder(({ text }) => /^[A-Za-z]:/.test(text)) },
  tree: { find: findWholeTree },
  /** Uncommitted changes that git would discard. */
  lost: { find: describeDiscardedChanges },
  /** Uncommitted changes discarded by programs that use git's output. */
  undone: { words: ["show", "cat-file", "ls-files", "diff"], find: describeDiscardedChanges },
  /** Untracked files that git lists and that the command deletes. */
  unadded: { words: ["ls-files", "status"], find: findListedFiles },
  stash: { find: findStashCommand },
  /** A branch that a command moves, if this would orphan commits. */
  held: { find: findOrphaningBranch },
  fetched: { find: findFetchedBranch },
  /** Untracked files that git would delete. */
  untracked: { find: findUntrackedFiles },
  /** A linked worktree with uncommitted work. */
  worktree: { find: findChangedWorktree },
  /** Paths outside the project that a command deletes or moves away. */
  outside: { find: findDeletedOutsidePath },
  away: { find: findMovedOutsidePath },
  /** A directory in which a mirroring tool deletes files. */
  mirrored: { find: findMirroredOutsidePath },
  /** The start directory of a search that deletes matches. */
  below: { find: (_, command, context) => findDeletedFolder(command, context) },
  /** The start directory of a search that prompts before each deletion, if the shell command answers those prompts. */
  answered: { words: ["-ok"], find: (_, command, context) => findConfirmedFolder(command, context) },
  /** The start directory of a search that changes the permissions or owner of all matches. */
  changed: {
    words: ["chmod", "chown", "chgrp", "setfacl"],
    find: (_, command, context) => findChangedFolder(command, context),
  },
  main: { find: createTextFinder(({ text }) => MAIN_BRANCH.test(text)) },
  /** Databases other than test databases. A process ID (`$$`) in the name is ignored. */
  lasting: {
    find: (operands, { more }) =>
      operands.find(({ text, dynamic }) => !/^(?:[^$]|\$\$)*$/.test(dynamic ?? "") || !isTestDatabase(text))?.text ??
      (more ? "everything listed" : undefined),
  },
  /** Kubernetes resource kinds. */
  namespace: { find: createKindFinder(/^(ns|namespaces?|projects?)$/i) },
  secret: { find: createKindFinder(/^(?:sealed|external)?secrets?$/i) },
  kept: {
    find: createKindFinder(
      /^(pvc?|persistentvolume.*|crds?|customresourcedefinition.*|no|nodes?|sc|storageclass.*|sts|statefulset.*)$/i,
    ),
  },
  /** Operands that another command lists. */
  listed: {
    find: (operands, { more }) =>
      operands.find(({ dynamic }) => /(^|[^\\])(\$\(|`)/.test(dynamic ?? ""))?.text ??
      (more ? "everything listed" : undefined),
  },
  /** All processes. */
  everyone: {
    words: ["-1"],
    find: (_, { args }) => (args.length > 1 && args.at(-1) === "-1" ? "every process" : undefined),
  },
  sql: {
    words: DESTRUCTIVE_WORDS,
    find: (_, command) => STATEMENT_FINDERS.sql(command),
  },
  mongo: { words: ["drop", "deletemany", "remove"], find: (_, command) => STATEMENT_FINDERS.mongo(command) },
  redis: { words: ["flush"], find: (_, command) => STATEMENT_FINDERS.redis(command) },
  /** The resource that a request to a forge or product API deletes. */
  request: { words: ["delete", "patch"], find: findApiDeletion },
  product: { words: ["delete", "destroy", "remove", "prune", "clear", "unload"], find: findProductDeletion },
  /** The kind of object that an MCP tool deletes. */
  kind: { find: (_, command) => findDeletedKind(command) },
  /** Processes selected by name or user that could include the session's own process. */
  processes: { find: findEndedProcesses },
  /** Firewall arguments that block SSH connections. */
  refused: { words: ["enable", "deny", "reject", "drop", "panic", "ssh", "22", "block"], find: findSshBlock },
  /** All objects below a prefix. */
  everything: { words: ["*"], find: createTextFinder(({ text }) => /\/\*{1,2}$/.test(text)) },
  /** A wildcard that matches all objects, or a PowerShell pipeline that lists all objects. */
  every: { find: findWildcardForAll },
  /** A precious directory that matches a wildcard expanded by the program itself. */
  globbed: {
    find: (operands, command, context) =>
      findPreciousFolder(
        operands.map(({ text, dynamic = text }) => ({ text, dynamic })),
        command,
        context,
      ),
  },
  ...PRODUCT_SETS,
  ...DATABASE_SETS,
  ...DOWNLOAD_SETS,
  ...CODE_PLACEHOLDERS,
};

/** Conditions that patterns refer to by name, such as `?changes`. */
export const NAMED_CONDITIONS: Readonly<Record<string, (command: Command, context: LineContext) => boolean>> = {
  /** Whether the shell command runs the downloaded file. */
  startsFile,
  ...COMMAND_CONDITIONS,
};
