import { basename, join, resolve, sep } from "node:path";
import { type Command, commands, type EventOf, type Guarded, type PathUse, paths, shellLine } from "bridge-hooks";
import { finds, findsIn } from "./_protect-find.ts";
import { changedByCode, targetOf, WRITES } from "./_protect-words.ts";

/** A command of a shell line, with the files that its words name. */
interface Step {
  command: Command;
  /** Words that begin with no "-". */
  operands: readonly string[];
  /** The files that a word names; of a wildcard, those that it fits. */
  of: (words: readonly string[]) => readonly PathUse[];
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
  const { problem } = shellLine(event);
  return problem !== undefined && event.tool === "Bash" && guard.isNamed(event.input.command)
    ? `this line can't be read as a shell reads it (${problem}), and it names a file that keeps hooks in force`
    : undefined;
}

/** What PowerShell and cmd.exe look at files with. */
const READS = /^(?:get-(?:content|item|childitem|filehash|acl)|gc|gi|gci|select-string|sls|test-path|resolve-path|type|findstr)$/i;

/** A guarded file that commands would change without writing to its name. */
function changed(all: readonly Command[], uses: readonly PathUse[], guard: Guarded, cwd: string): string | undefined {
  const isAbove = (folder: string) => `${cwd}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const below = ({ named }: PathUse) => (isAbove(named) ? [] : guard.within(named));
  const named = Map.groupBy(
    uses.filter(({ wildcard }) => !wildcard),
    ({ given }) => given,
  );
  for (const command of all) {
    const step = stepOf(command, named, cwd);
    const found =
      removed(step, guard) ??
      closed(step, guard, below) ??
      renamed(step, guard) ??
      put(step, guard) ??
      unpacked(step, guard) ??
      (command.more && WRITES.test(command.program)
        ? uses.flatMap((use) => (guard.covers(use.path) ? [use.named] : below(use)))[0]
        : undefined) ??
      changedByCode(command, guard);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param uses by the word as it is given; there may be thousands of both. */
function stepOf(command: Command, uses: ReadonlyMap<string, readonly PathUse[]>, cwd: string): Step {
  const of = (words: readonly string[]) =>
    words.flatMap((word): readonly PathUse[] => {
      const values = word.includes("=") ? [...word.matchAll(/=/g)].map(({ index }) => word.slice(index + 1)) : [];
      const named = [word, ...values].flatMap((given) => uses.get(given) ?? []);
      if (named.length > 0) return named;
      const path = resolve(cwd || "/", command.cwd ?? "", word);
      return [{ path, named: path, given: word, access: "write" }];
    });
  return { command, operands: command.args.filter((word) => !word.startsWith("-")), of };
}

const REMOVES = /^(?:rm|rmdir|unlink|shred|trash(?:-put)?|remove-item|ri|rd|del|erase)$/i;
const MOVES = /^(?:mv|move-item|rename-item|ren)$/i;

/** What is not there any more when the command has run. */
function removed({ command, operands, of }: Step, guard: Guarded): string | undefined {
  const { program, args } = command;
  const [verb, ...rest] = program === "git" ? operands : [program, ...operands];
  if (program === "git" && args.includes("--cached")) return undefined;
  const gone = REMOVES.test(verb ?? "")
    ? rest
    : MOVES.test(verb ?? "")
      ? rest.slice(0, targetOf(command) === undefined ? -1 : undefined)
      : program === "rsync" && args.some((word) => word.startsWith("--del"))
        ? rest.slice(-1)
        : [];
  if (program !== "find") return of(gone).flatMap(({ named }) => guard.within(named))[0];
  const [starts, tests] = findsIn(args);
  return of(starts).flatMap((start) => guard.within(start.named).filter((file) => finds(tests, start, file)))[0];
}

/** What somebody else gets, or nobody may read or run any more. */
const closed = ({ command, operands, of }: Step, guard: Guarded, below: (use: PathUse) => readonly string[]): string | undefined =>
  /^ch(?:mod|own|grp)$/.test(command.program)
    ? of(operands).flatMap((use) => (guard.covers(use.path) ? [use.named] : below(use)))[0]
    : undefined;

/** What gets another name, by which it could be changed. */
function renamed({ command: { program, args }, operands, of }: Step, guard: Guarded): string | undefined {
  const links =
    /^(?:ln|link)$/.test(program) || (program === "cp" && args.some((word) => /^(?:-\w*[ls]|--(?:link|symbolic-link)$)/.test(word)));
  return links ? of(operands).find(({ path }) => guard.covers(path))?.named : undefined;
}

/** What is copied, moved or linked to where it counts. */
function put({ command, operands, of }: Step, guard: Guarded): string | undefined {
  const { program } = command;
  if (!/^(?:cp|mv|rsync|ditto|ln|install|copy-item|move-item)$/i.test(program)) return undefined;
  const target = targetOf(command);
  // The files that are put into a folder are looked at below, with each of its sources.
  const places = of(target === undefined ? operands.slice(-1) : [target]).filter(({ inside }) => !inside);
  const sources = of(target === undefined ? operands.slice(0, -1) : operands.filter((word) => word !== target));
  // Whatever a link leads to may still come to hold something.
  const holds = (path: string) => (program === "ln" ? undefined : path);
  for (const { named: place } of places)
    for (const { path, named } of sources) {
      const inside = join(place, basename(named));
      const [found] = [
        ...guard.brought(holds(path), place),
        ...guard.brought(holds(path), inside),
        ...(guard.covers(inside) ? [inside] : []),
      ];
      if (found !== undefined) return found;
    }
  return undefined;
}

/** Nobody knows what is unpacked, cloned or fetched into a folder. */
function unpacked({ command: { program, args }, operands, of }: Step, guard: Guarded): string | undefined {
  const unpacks =
    /^(?:tar|bsdtar|unzip|7z|cpio|curl|wget)$/.test(program) ||
    (program === "git" && /^(?:clone|worktree|submodule)$/.test(operands[0] ?? ""));
  if (!unpacks) return undefined;
  return of(args)
    .filter(({ access }) => access === "write")
    .flatMap(({ named }) => guard.brought(undefined, named))[0];
}
