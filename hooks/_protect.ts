import { basename, dirname, join, resolve, sep } from "node:path";
import {
  type Command,
  commands,
  type EventOf,
  type Guarded,
  homedir,
  type PathUse,
  paths,
  readFindArguments,
  readGitArguments,
  runsPackages,
  shellLine,
} from "bridge-hooks";
import { finds } from "./_protect-find.ts";
import { harmLater } from "./_protect-startup.ts";
import { changedByCode, changesGiven, folderOf, targetOf } from "./_protect-words.ts";

/** A command of a shell line, with the files that its words name. */
interface Step {
  command: Command;
  /** Words that begin with no "-". */
  operands: readonly string[];
  /** The files that a word names; of a wildcard, those that it fits. */
  of: (words: readonly string[]) => readonly PathUse[];
  /** The folder that it unpacks into where no word names one. */
  here: readonly PathUse[];
  /** Those of the command's own folder, where that is known: in a loop over folders the same word names a file in each. */
  own: (words: readonly string[]) => readonly PathUse[];
}

/** What a call would do to what keeps hooks in force, as a part of a sentence. */
export function harmOf(event: EventOf<"PreToolUse" | "PermissionRequest">, guard: Guarded): string | undefined {
  const here = commands(event).filter(({ remote }) => !remote);
  const off = guard.switchedOff(here);
  if (off !== undefined) return `a command in this line ${off}`;
  const read = new Set(here.flatMap(({ program, args }) => (READS.test(program) ? args : [])));
  const isRead = ({ given, uncertain }: PathUse) => uncertain && read.has(given);
  const uses = paths(event).filter((use) => !use.remote && !isRead(use));
  const covered = ({ path, named }: PathUse) => guard.covers(path) || (named !== path && guard.covers(named));
  const written = uses.find((use) => use.access === "write" && covered(use));
  const file = written?.named ?? changed(here, uses, guard, event.cwd);
  if (file !== undefined) return `this would change ${file}, which keeps hooks in force`;
  const later = harmLater(event, uses, guard);
  if (later !== undefined) return later;
  const { problem } = shellLine(event);
  return problem !== undefined && event.tool === "Bash" && guard.isNamed(event.input.command)
    ? `this line can't be read as a shell reads it (${problem}), and it names a file that keeps hooks in force`
    : undefined;
}

/** What PowerShell and cmd.exe look at files with. */
const READS =
  /^(?:get-(?:content|item|childitem|filehash|acl)|gc|gi|gci|select-string|sls|test-path|resolve-path|type|findstr)$/i;

/** A guarded file that commands would change without writing to its name. */
function changed(all: readonly Command[], uses: readonly PathUse[], guard: Guarded, cwd: string): string | undefined {
  const isAbove = (folder: string) => `${cwd}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const below = ({ named }: PathUse) => (isAbove(named) ? [] : guard.within(named));
  const named = Map.groupBy(
    uses.filter(({ wildcard }) => !wildcard),
    ({ given }) => given,
  );
  let anyFile: { named: string | undefined } | undefined;
  const listed = () =>
    (anyFile ??= { named: uses.flatMap((use) => (guard.covers(use.path) ? [use.named] : below(use)))[0] }).named;
  for (const command of all) {
    const step = stepOf(command, named, cwd);
    const found =
      removed(step, guard) ??
      closed(step, guard, below) ??
      renamed(step, guard, (folder) => isAbove(folder) || `${homedir()}${sep}`.startsWith(folder + sep)) ??
      put(step, guard) ??
      unpacked(step, guard) ??
      (command.more && changesGiven(command.program, command.args) ? listed() : undefined) ??
      changedByCode(command, guard, cwd);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An option's value is behind the first "=", or the second. */
const MOST_VALUES = 8;

/** @param uses by the word as it is given; there may be thousands of both. */
function stepOf(command: Command, uses: ReadonlyMap<string, readonly PathUse[]>, cwd: string): Step {
  const of = (words: readonly string[]) =>
    words.flatMap((word): readonly PathUse[] => {
      const values = word.includes("=")
        ? word
            .matchAll(/=/g)
            .take(MOST_VALUES)
            .map(({ index }) => word.slice(index + 1))
        : [];
      const named = [word, ...values].flatMap((given) => uses.get(given) ?? []);
      if (named.length > 0) return named;
      const path = resolve(folderOf(command, cwd), word);
      return [{ path, named: path, given: word, access: "write" }];
    });
  const own = (words: readonly string[]) => {
    const dynamic = new Set(Object.keys(command.dynamic).map((at) => command.args[Number(at)]));
    return words.flatMap((word) => {
      const all = of([word]);
      if (all.length === 1 || command.cwd === undefined || dynamic.has(word)) return all;
      const path = resolve(folderOf(command, cwd), word);
      const here = all.filter(({ named }) => named === path);
      return here.length > 0 ? here : all;
    });
  };
  return {
    command,
    operands: operandsOf(command),
    of,
    own,
    here: uses.get(".") ?? [],
  };
}

/** The words of a command that begin with no "-": of git from its subcommand on. */
const operandsOf = ({ program, args }: Command) =>
  args.slice(program === "git" ? readGitArguments(args).at : 0).filter((word) => !word.startsWith("-"));

/** The names of what a program works on: as it is called, and where links on the way to it lead. */
const namesOf = ({ named, path, given }: PathUse): string[] =>
  path !== named && (basename(path) === basename(named) || /[\\/]$/.test(given)) ? [named, path] : [named];

/** Whether a program's first operand says what it does. */
const isGroup = (program: string) => program === "git" || program === "gio" || runsPackages(program);
const REMOVES =
  /^(?:rm|rmdir|unlink|shred|srm|wipe|rimraf|trash(?:-put)?|rmtrash|remove|remove-item|ri|rd|del|erase|rename)$/i;
const MOVES = /^(?:mv|move|move-item|rename-item|ren)$/i;

/** What is not there any more when the command has run. */
function removed({ command, operands, of }: Step, guard: Guarded): string | undefined {
  const { program, args } = command;
  if (program === "git" && args.includes("--cached")) return undefined;
  if (program === "find") {
    const { starts, steps } = readFindArguments(args);
    const follows = args.some((word) => /^-[LH]$|^-follow$/.test(word));
    const folders = starts.length > 0 ? starts.map((at) => args[at] as string) : ["."];
    const places = of(folders).map((start) =>
      follows || start.given.endsWith("/") ? { ...start, named: start.path } : start,
    );
    return places.flatMap((start) => guard.within(start.named).filter((file) => finds(steps, start, file)))[0];
  }
  const gone = of(goneIn(command, operands));
  return gone.flatMap((use) => namesOf(use).flatMap((name) => guard.within(name)))[0];
}

/** The words of a command that name what it takes away. */
function goneIn(command: Command, operands: readonly string[]): readonly string[] {
  const { program, args } = command;
  const [verb = "", ...rest] = isGroup(program) ? operands : [program, ...operands];
  const has = (option: RegExp) => args.some((word) => option.test(word));
  if (REMOVES.test(verb)) return rest;
  if (MOVES.test(verb)) return rest.slice(0, targetOf(command) === undefined ? -1 : undefined);
  if (program === "rsync")
    return [...(has(/^--del/) ? rest.slice(-1) : []), ...(has(/^--remove-source/) ? rest.slice(0, -1) : [])];
  const isEmptied =
    (program === "zip" && has(/^-\w*m|^--move$/)) || (program.endsWith("tar") && has(/^--remove-files$/));
  return isEmptied ? rest : [];
}

/** What somebody else gets, or nobody may read or run any more. */
const closed = (
  { command, operands, of }: Step,
  guard: Guarded,
  below: (use: PathUse) => readonly string[],
): string | undefined =>
  /^ch(?:mod|own|grp)$/.test(command.program)
    ? of(operands).flatMap((use) => (guard.covers(use.path) ? [use.named] : below(use)))[0]
    : undefined;

/** What gets another name, by which it could be changed: a file, or the folder that it is in, unless that is one of many things. */
function renamed(
  { command, operands, of }: Step,
  guard: Guarded,
  isAbove: (folder: string) => boolean,
): string | undefined {
  const { program, args } = command;
  const links =
    /^(?:ln|link)$/.test(program) ||
    (program === "cp" && args.some((word) => /^(?:-\w*[ls]|--(?:link|symbolic-link)$)/.test(word)));
  if (!links) return undefined;
  const file = of(operands).find(({ path }) => guard.covers(path))?.named;
  const sources = of(operands.slice(0, operands.length > 1 && targetOf(command) === undefined ? -1 : undefined));
  return file ?? sources.flatMap(({ path }) => (isAbove(path) ? [] : guard.within(path)))[0];
}

/** What is copied, moved or linked to where it counts. */
function put({ command, operands, own }: Step, guard: Guarded): string | undefined {
  const { program } = command;
  if (!/^(?:cp|mv|rsync|ditto|ln|install|copy-item|move-item)$/i.test(program)) return undefined;
  const target = targetOf(command);
  // What is put into a folder is looked at below, with each of its sources; itself only if something guarded is in it already.
  const isPlace = ({ inside, named }: PathUse) => !inside || guard.within(named).length > 0;
  const places = own(target === undefined ? operands.slice(-1) : [target]).filter(isPlace);
  const sources = own(target === undefined ? operands.slice(0, -1) : operands.filter((word) => word !== target));
  // Whatever a link leads to may still come to hold something.
  const holds = (path: string) => (program === "ln" ? undefined : path);
  const folders = new Set(places.flatMap(namesOf));
  for (const place of folders) {
    // What is put into a folder is looked at with the folder.
    if (dirname(place) !== place && folders.has(dirname(place))) continue;
    for (const { path, named } of sources) {
      const inside = join(place, basename(named));
      const [found] = [
        ...guard.brought(holds(path), place),
        ...guard.brought(holds(path), inside),
        ...(guard.covers(inside) ? [inside] : []),
      ];
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Nobody knows what is unpacked, cloned or fetched into a folder. */
function unpacked({ command: { program, args }, operands, of, here }: Step, guard: Guarded): string | undefined {
  const unpacks =
    /^(?:tar|bsdtar|unzip|7z|cpio|curl|wget|patch)$/.test(program) ||
    (program === "git" && /^(?:clone|worktree|submodule)$/.test(operands[0] ?? ""));
  if (!unpacks) return undefined;
  return [...of(args), ...here]
    .filter(({ access }) => access === "write")
    .flatMap((use) => namesOf(use).flatMap((name) => guard.brought(undefined, name)))[0];
}
