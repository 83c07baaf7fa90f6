import type { Command } from "bridge-hooks";
import { below } from "./below.ts";
import { mayLose } from "./changes.ts";
import { DISKS } from "./disk-paths.ts";
import { type Find, first } from "./first.ts";
import {
  folderOf,
  followed,
  type Here,
  holds,
  isPrecious,
  isPreciousFile,
  isSystem,
  type Operand,
  type Place,
  tidy,
} from "./places.ts";
import { isOfTests, STATEMENTS } from "./statements.ts";

/** A set that patterns name: `<disk>`. */
interface Set {
  /** What a line has to mention, in small letters, for one of it to be there. Absent: nothing in particular. */
  words?: readonly string[];
  /** The first that is in the set, as a message shows it. `operands`: those behind the words of the pattern. */
  find: Find;
}

/** Whether a path is a disk or a part of one. */
export const isDisk = (path: string): boolean =>
  DISKS.some((disk) => path.startsWith(disk)) || /^\\\\[.?]\\physicaldrive/i.test(path);

/** Branches that others build on. */
const MAIN =
  /^(refs\/heads\/)?(main|master|trunk|develop|development|dev|production|prod|staging|stable|gh-pages|release([-/].*)?|v?\d+\.x)$/;

const text =
  (isSuch: (word: Operand, command: Command) => boolean): Find =>
  (operands, command) =>
    operands.find((operand) => isSuch(operand, command))?.text;

const folder = first(isPrecious);
export const file = first(isPreciousFile);
const disk = text(({ text }) => isDisk(text));
/** All that is in the repository, or at least in the folder where one stands; the top of another one. */
const tree: Find = (operands, command, here) => {
  const isTop = (place: Place) =>
    place.path === folderOf(command, here) &&
    tidy(here.repository(place.path)?.root ?? "") === followed({ ...place, behind: true }, here).path;
  const all = operands.find(({ text }) => /^:?\/?\*?$/.test(text))?.text;
  return (
    all ?? first((place, { cwd }) => holds(place.path, cwd) || (!place.remote && isTop(place)))(operands, command, here)
  );
};
/** Folders that are moved away as they are: what is in them may be moved. */
const moved = first(
  (place, here) => !place.inside && (isSystem(place.path, here.home) || isPrecious(place, { ...here, home: "" })),
);

/** The first word of those by which Kubernetes is told of such a kind: `pvc x`, `deploy,pvc -l a=b`, `pod/x pvc/y`. */
const kind =
  (isSuch: RegExp): Find =>
  (operands) =>
    operands.find(
      ({ text }, at) =>
        (at === 0 || text.includes("/")) &&
        text.split(",").some((one) => isSuch.test(one.split(/[/.]/, 1)[0] as string)),
    )?.text;

export const SETS: Readonly<Record<string, Set>> = {
  /** A folder whose loss nobody wants. */
  folder: { find: folder },
  /** A file, or a folder of files, that is one to keep. */
  file: { find: file },
  /** A folder that the system or a home is made of. */
  system: { find: first(({ path }, { home }) => isSystem(path, home)) },
  moved: { find: (operands, command, here) => moved(operands.slice(0, -1), command, here) },
  destination: { find: (operands, command, here) => folder(operands.slice(-1), command, here) },
  disk: { words: ["/dev/", "physicaldrive"], find: disk },
  last: {
    words: ["/dev/", "physicaldrive"],
    find: (operands, command, here) => disk(operands.slice(-1), command, here),
  },
  /** A disk, or what may be one. */
  device: { find: text(({ text, dynamic }) => isDisk(text) || dynamic !== undefined) },
  drive: { words: [":"], find: text(({ text }) => /^[A-Za-z]:/.test(text)) },
  tree: { find: tree },
  /** The same where nothing is named. */
  whole: { find: (operands, command, here) => (operands.length > 0 ? tree(operands, command, here) : "all") },
  /** Where a search starts that deletes what it finds. */
  below: { find: (_, command, here) => below(command, here) },
  main: { find: text(({ text }) => MAIN.test(text)) },
  /** Databases that are not a test's. */
  lasting: {
    find: (operands, { more }) =>
      operands.find(({ text, dynamic }) => dynamic !== undefined || !isOfTests(text))?.text ??
      (more ? "all that is listed" : undefined),
  },
  /** Kinds of what runs in Kubernetes. */
  namespace: { find: kind(/^(ns|namespaces?|projects?)$/i) },
  kept: {
    find: kind(
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
  sql: { words: ["drop", "truncate", "delete", "update", "alter"], find: (_, command) => STATEMENTS.sql(command) },
  mongo: { words: ["drop", "deletemany", "remove"], find: (_, command) => STATEMENTS.mongo(command) },
  redis: { words: ["flush"], find: (_, command) => STATEMENTS.redis(command) },
};

/** Conditions that patterns name: `?changes`. */
export const CONDITIONS: Readonly<Record<string, (command: Command, here: Here) => boolean>> = {
  /** There may be something to lose that is not committed. */
  changes: mayLose,
};
