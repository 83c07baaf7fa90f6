import { posix } from "bridge-hooks/paths";
import type { Command } from "bridge-hooks";
import { findApiDeletion, findProductDeletion } from "./api-calls.ts";
import { findAnsweredFolder, findChangedFolder, findDeletedFolder } from "./find-deletions.ts";
import {
  findChangedWorktree,
  findListedFiles,
  findLostChanges,
  findStashCommand,
  findUntrackedFiles,
} from "./git-losses.ts";
import { findFetchedBranch, findHoldingBranch } from "./git-moves.ts";
import { isChangedTree } from "./git-places.ts";
import { CODE_SETS } from "./code-calls.ts";
import { COMMAND_CONDITIONS } from "./conditions.ts";
import { DISK_PREFIXES } from "./disk-paths.ts";
import { DOWNLOAD_SETS, startsFile } from "./download-finders.ts";
import { findDeletedOutside, findMovedOutside } from "./outside-operands.ts";
import { findRefused } from "./firewalls.ts";
import { findMirroredOutside } from "./mirrors.ts";
import { DATABASE_SETS } from "./framework-code.ts";
import { type OperandFinder, createPlaceFinder } from "./place-finder.ts";
import { SYSTEM_PROGRAMS } from "./precious-files.ts";
import { findEndedProcesses } from "./process-kills.ts";
import { PRODUCT_SETS } from "./product-conditions.ts";
import { type LineContext, isSameOrAbove, type OperandWord, type OperandPlace, normalizePath } from "./line-context.ts";
import {
  resolveCommandFolder,
  followPlaceLinks,
  isPrecious,
  isOverwritten,
  isPreciousFile,
  isSystemPath,
  isTopFolder,
  isDataPath,
  resolvePlace,
} from "./places.ts";
import { DESTROYING_WORDS } from "./sql/destroying-words.ts";
import { isTestDatabase, STATEMENT_FINDERS } from "./statements.ts";
import { findDeletedKind } from "./tool-deletions.ts";

/** A set that patterns name: `<disk>`. */
interface OperandSet {
  /** What a line has to mention, in small letters, for one of it to be there. Absent: nothing in particular. */
  words?: readonly string[];
  /** The first that is in the set, as a message shows it. `operands`: those behind the words of the pattern. */
  find: OperandFinder;
}

/** Whether a path is a disk or a part of one. */
export const isDisk = (path: string): boolean =>
  DISK_PREFIXES.some((disk) => path.startsWith(disk)) || /^[\\/]{2}[.?][\\/]physicaldrive/i.test(path);

/** Branches that others build on. */
const MAIN_BRANCH =
  /^(refs\/heads\/)?(main|master|trunk|develop|development|dev|production|prod|staging|stable|gh-pages|release([-/].*)?|v?\d+\.x)$/;

const createTextFinder =
  (isSuch: (word: OperandWord, command: Command) => boolean): OperandFinder =>
  (operands, command) =>
    operands.find((operand) => isSuch(operand, command))?.text;

const findPrecious = createPlaceFinder(isPrecious);
const findChangedTree = createPlaceFinder(({ path, remote }, here) => !remote && isChangedTree(path, here));
/** A folder whose loss nobody wants. Of a linked working tree, nobody sees by its name why. */
const findPreciousFolder: OperandFinder = (operands, command, here) => {
  const found = findPrecious(operands, command, here);
  return found !== undefined && findChangedTree(operands, command, here) === found
    ? `${found} (a linked working tree with changes that no commit has)`
    : found;
};
const findPreciousFile = createPlaceFinder(isPreciousFile);
export const findOverwrittenFile = createPlaceFinder(isOverwritten);
const findDisk = createTextFinder(({ text }) => isDisk(text));
/** All that is in the repository, or at least in the folder where one stands; the top of another one. */
const findTree: OperandFinder = (operands, command, here) => {
  const isTop = (target: OperandPlace) =>
    target.path === resolveCommandFolder(command, here) &&
    normalizePath(here.repository(target.path)?.root ?? "") ===
      followPlaceLinks({ ...target, isBehindLink: true }, here).path;
  const all = operands.find(({ text }) => /^:?\/?\*?$/.test(text))?.text;
  return (
    all ??
    createPlaceFinder(
      (target, { folders }) =>
        folders.some((folder) => isSameOrAbove(target.path, folder)) || (!target.remote && isTop(target)),
    )(operands, command, here)
  );
};
/** Folders that are moved away as they are: what is in them may be moved. */
const findMovedFolder = createPlaceFinder((target, here) =>
  target.isContents
    ? target.path === here.home || isTopFolder(target.path)
    : isSystemPath(target.path, here.home) ||
      (!target.remote && SYSTEM_PROGRAMS.test(target.path)) ||
      isPrecious(target, { ...here, home: "" }),
);

/** Whether a file below the system's settings or data gets another name in the same folder, where it is found again. */
const isRenamed: OperandFinder = (operands, command, here) => {
  const [from, to, ...more] = operands.map((operand) => resolvePlace(operand, command, here));
  const isSafe = from && to && more.length === 0 && !from.isContents && isDataPath(from.path);
  return isSafe && posix.dirname(from.path) === posix.dirname(to.path) ? from.text : undefined;
};

/** The first word of those by which Kubernetes is told of such a kind: `pvc x`, `deploy,pvc -l a=b`, `pod/x pvc/y`. */
const createKindFinder =
  (isSuch: RegExp): OperandFinder =>
  (operands) =>
    operands.find(
      ({ text }, at) =>
        (at === 0 || text.includes("/")) &&
        text.split(",").some((one) => isSuch.test(one.split(/[/.]/, 1)[0] as string)),
    )?.text;

const findEvery: OperandFinder = (operands, command, { commands }) => {
  const before = command.more ? commands[commands.indexOf(command) - 1] : undefined;
  const isAll = before?.args.every((arg) => /^(?:-\w+|\*)$/.test(arg)) === true;
  return operands.find(({ text }) => /^\\?\*$/.test(text))?.text ?? (isAll ? "*" : undefined);
};

export const SETS: Readonly<Record<string, OperandSet>> = {
  /** A folder whose loss nobody wants. */
  folder: { find: findPreciousFolder },
  /** A file, or a folder of files, that is one to keep. */
  file: { find: findPreciousFile },
  /** The same where it is overwritten. */
  overwritten: { find: findOverwrittenFile },
  /** A folder that the system or a home is made of. */
  system: { find: createPlaceFinder(({ path }, { home }) => isSystemPath(path, home)) },
  moved: {
    find: (operands, command, here) =>
      isRenamed(operands, command, here) ? undefined : findMovedFolder(operands.slice(0, -1), command, here),
  },
  destination: { find: (operands, command, here) => findPreciousFolder(operands.slice(-1), command, here) },
  disk: { words: ["/dev/", "physicaldrive"], find: findDisk },
  last: {
    words: ["/dev/", "physicaldrive"],
    find: (operands, command, here) => findDisk(operands.slice(-1), command, here),
  },
  /** A disk, or what may be one. */
  device: { find: createTextFinder(({ text, dynamic }) => isDisk(text) || dynamic !== undefined) },
  drive: { words: [":"], find: createTextFinder(({ text }) => /^[A-Za-z]:/.test(text)) },
  tree: { find: findTree },
  /** Changes that git would discard, and what keeps them. */
  lost: { find: findLostChanges },
  /** The same by programs that undo what git lists, prints or compares. */
  undone: { words: ["show", "cat-file", "ls-files", "diff"], find: findLostChanges },
  /** Files that git lists, and never had. */
  unadded: { words: ["ls-files", "status"], find: findListedFiles },
  stash: { find: findStashCommand },
  /** A branch that would be moved from commits that nothing else holds. */
  held: { find: findHoldingBranch },
  fetched: { find: findFetchedBranch },
  /** Files that git would delete and never had. */
  untracked: { find: findUntrackedFiles },
  /** Another working tree of the repository, with work that no commit has. */
  worktree: { find: findChangedWorktree },
  /** What lies outside of the project, where it is deleted, or moved away. */
  outside: { find: findDeletedOutside },
  away: { find: findMovedOutside },
  /** A folder in which a mirroring deletes. */
  mirrored: { find: findMirroredOutside },
  /** Where a search starts that deletes what it finds. */
  below: { find: (_, command, here) => findDeletedFolder(command, here) },
  /** The same where find asks, and the line answers. */
  answered: { words: ["-ok"], find: (_, command, here) => findAnsweredFolder(command, here) },
  /** Where a search starts that changes the rights or the owner of all that it finds. */
  changed: {
    words: ["chmod", "chown", "chgrp", "setfacl"],
    find: (_, command, here) => findChangedFolder(command, here),
  },
  main: { find: createTextFinder(({ text }) => MAIN_BRANCH.test(text)) },
  /** Databases that are not a test's; the number of a process in a name says nothing of it. */
  lasting: {
    find: (operands, { more }) =>
      operands.find(({ text, dynamic }) => !/^(?:[^$]|\$\$)*$/.test(dynamic ?? "") || !isTestDatabase(text))?.text ??
      (more ? "all that is listed" : undefined),
  },
  /** Kinds of what runs in Kubernetes. */
  namespace: { find: createKindFinder(/^(ns|namespaces?|projects?)$/i) },
  secret: { find: createKindFinder(/^(?:sealed|external)?secrets?$/i) },
  kept: {
    find: createKindFinder(
      /^(pvc?|persistentvolume.*|crds?|customresourcedefinition.*|no|nodes?|sc|storageclass.*|sts|statefulset.*)$/i,
    ),
  },
  /** Whatever another command names. */
  listed: {
    find: (operands, { more }) =>
      operands.find(({ dynamic }) => /(^|[^\\])(\$\(|`)/.test(dynamic ?? ""))?.text ??
      (more ? "all that is listed" : undefined),
  },
  /** All processes there are. */
  everyone: {
    words: ["-1"],
    find: (_, { args }) => (args.length > 1 && args.at(-1) === "-1" ? "every process" : undefined),
  },
  sql: {
    words: DESTROYING_WORDS,
    find: (_, command) => STATEMENT_FINDERS.sql(command),
  },
  mongo: { words: ["drop", "deletemany", "remove"], find: (_, command) => STATEMENT_FINDERS.mongo(command) },
  redis: { words: ["flush"], find: (_, command) => STATEMENT_FINDERS.redis(command) },
  /** What a request to the API of a forge, or of a product, deletes. */
  request: { words: ["delete", "patch"], find: findApiDeletion },
  product: { words: ["delete", "destroy", "remove", "prune", "clear", "unload"], find: findProductDeletion },
  /** What the tool of an MCP server does away with, by its kind. */
  kind: { find: (_, command) => findDeletedKind(command) },
  /** Processes by a name or a user, where the session's own may be one of them. */
  processes: { find: findEndedProcesses },
  /** What a firewall drops connections over SSH by. */
  refused: { words: ["enable", "deny", "reject", "drop", "panic", "ssh", "22", "block"], find: findRefused },
  /** All objects below a prefix. */
  everything: { words: ["*"], find: createTextFinder(({ text }) => /\/\*{1,2}$/.test(text)) },
  /** A wildcard for all there are, or all that PowerShell lists. */
  every: { find: findEvery },
  /** A folder whose loss nobody wants, by a program that expands wildcards itself. */
  globbed: {
    find: (operands, command, here) =>
      findPreciousFolder(
        operands.map(({ text, dynamic = text }) => ({ text, dynamic })),
        command,
        here,
      ),
  },
  ...PRODUCT_SETS,
  ...DATABASE_SETS,
  ...DOWNLOAD_SETS,
  ...CODE_SETS,
};

/** Conditions that patterns name: `?changes`. */
export const CONDITIONS: Readonly<Record<string, (command: Command, here: LineContext) => boolean>> = {
  /** There may be something to lose that is not committed. */
  startsFile,
  ...COMMAND_CONDITIONS,
};
