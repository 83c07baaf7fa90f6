import { posix } from "bridge-hooks/paths";
import type { Command } from "bridge-hooks";
import { findApiDeletion } from "./api-calls.ts";
import { findAnsweredFolder, findChangedFolder, findDeletedFolder } from "./find-deletions.ts";
import { mayLoseChanges } from "./changes.ts";
import { CODE_SETS } from "./code-calls.ts";
import { COMMAND_CONDITIONS } from "./conditions.ts";
import { DISK_PREFIXES } from "./disk-paths.ts";
import { DOWNLOAD_SETS, startsFile } from "./download-finders.ts";
import { type OperandFinder, createPlaceFinder } from "./place-finder.ts";
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
import { isTestDatabase, STATEMENT_FINDERS } from "./statements.ts";

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

const findPreciousFolder = createPlaceFinder(isPrecious);
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
    : isSystemPath(target.path, here.home) || isPrecious(target, { ...here, home: "" }),
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
  /** The same where nothing is named. */
  whole: { find: (operands, command, here) => (operands.length > 0 ? findTree(operands, command, here) : "all") },
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
  /** Databases that are not a test's. */
  lasting: {
    find: (operands, { more }) =>
      operands.find(({ text, dynamic }) => dynamic !== undefined || !isTestDatabase(text))?.text ??
      (more ? "all that is listed" : undefined),
  },
  /** Kinds of what runs in Kubernetes. */
  namespace: { find: createKindFinder(/^(ns|namespaces?|projects?)$/i) },
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
    words: ["drop", "truncate", "delete", "update", "alter"],
    find: (_, command) => STATEMENT_FINDERS.sql(command),
  },
  mongo: { words: ["drop", "deletemany", "remove"], find: (_, command) => STATEMENT_FINDERS.mongo(command) },
  redis: { words: ["flush"], find: (_, command) => STATEMENT_FINDERS.redis(command) },
  /** What a request to an API deletes. */
  request: { words: ["delete", "patch"], find: findApiDeletion },
  /** A folder whose loss nobody wants, by a program that expands wildcards itself. */
  globbed: {
    find: (operands, command, here) =>
      findPreciousFolder(
        operands.map(({ text, dynamic = text }) => ({ text, dynamic })),
        command,
        here,
      ),
  },
  ...DOWNLOAD_SETS,
  ...CODE_SETS,
};

/** Conditions that patterns name: `?changes`. */
export const CONDITIONS: Readonly<Record<string, (command: Command, here: LineContext) => boolean>> = {
  /** There may be something to lose that is not committed. */
  changes: mayLoseChanges,
  startsFile,
  ...COMMAND_CONDITIONS,
};
