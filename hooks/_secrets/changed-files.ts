import { type Command, readGitArguments } from "bridge-hooks";
import type { FileChangeVerb } from "./option-files.ts";

/** What a program does to every file it is given. */
const CHANGE_VERBS: Readonly<Record<string, FileChangeVerb>> = {
  tee: "overwrite",
  sponge: "overwrite",
  truncate: "overwrite",
  rm: "remove",
  unlink: "remove",
  shred: "remove",
  trash: "remove",
  "git rm": "remove",
  "git clean": "remove",
  "git checkout": "overwrite",
  "git restore": "overwrite",
};
/** Programs that overwrite their last operand. */
const COPYING_PROGRAMS = new Set("cp mv install ln rsync scp copy move copy-item move-item".split(" "));
/** Options that make a program change its files in place. */
const IN_PLACE_OPTIONS: Readonly<Record<string, RegExp>> = {
  sed: /^(?:-[a-zA-Z]*i|--in-place)/,
  gsed: /^(?:-[a-zA-Z]*i|--in-place)/,
  perl: /^-[a-zA-Z]*i/,
  ruby: /^-[a-zA-Z]*i/,
  yq: /^(?:-i|--inplace)/,
};
/** Code that writes to a terminal, stdout, or stderr, such as `w /dev/stdout` in a sed script that edits in place. */
const PRINTED_OUTPUT = /\/dev\/(?:std|fd|tty)|\bSTD(?:OUT|ERR)\b/;

/** Returns what happens to each file argument that a command only writes, keyed by argument index. */
export function listChangedArguments({ program, args }: Command): ReadonlyMap<number, FileChangeVerb> {
  const git = program === "git" ? readGitArguments(args) : undefined;
  const row = git ? `git ${git.verb}` : program;
  const operands = [...args.keys()].filter((at) => at > (git?.at ?? -1) && !args[at]?.startsWith("-"));
  const changeOfAll = Object.hasOwn(CHANGE_VERBS, row) ? CHANGE_VERBS[row] : undefined;
  if (changeOfAll !== undefined) {
    if (args.some((arg) => /^-\w*p|^--patch$/.test(arg)) && git) return new Map();
    const isAppended = program === "tee" && args.some((arg) => /^-\w*a|^--append$/.test(arg));
    return new Map(operands.map((at) => [at, isAppended ? "append to" : changeOfAll]));
  }
  if (COPYING_PROGRAMS.has(program.toLowerCase())) {
    const lastOperand = operands.at(-1);
    const isNamed = args.some((arg) => /^-\w*t|^--target/.test(arg));
    return lastOperand === undefined || operands.length < 2 || isNamed
      ? new Map()
      : new Map([[lastOperand, "overwrite"]]);
  }
  if (program === "dd")
    return new Map(operands.flatMap((at) => (args[at]?.startsWith("of=") ? [[at, "overwrite"]] : [])));
  const inPlaceOption = Object.hasOwn(IN_PLACE_OPTIONS, program) ? IN_PLACE_OPTIONS[program] : undefined;
  const isInPlace = inPlaceOption !== undefined && args.some((arg) => inPlaceOption.test(arg));
  if (!isInPlace || args.some((arg) => PRINTED_OUTPUT.test(arg))) return new Map();
  return new Map(operands.map((at) => [at, "change"]));
}

/** Existence checks that guard a copy command in bash, PowerShell, or cmd.exe. */
const EXISTENCE_TEST = /(!\s+)?(?:\[\[?|\btest)\s+(!\s+)?-[efs]\s+(\S+?)(?:\s+\]\]?)?\s*(\|\||&&|;\s*then\b)\s*cp\s/g;
const MISSING_TEST =
  /(?:(?:!|-not)\s{0,3}\(\s{0,3}Test-Path\s{1,3}(?:-\w{1,12}\s{1,3})?([^\s()]{1,200})\s{0,3}\)\s{0,3}\)\s{0,3}\{\s{0,3}(?:Copy-Item|cpi?|copy)|\bif\s{1,3}not\s{1,3}exist\s{1,3}([^\s()]{1,200})\s{1,3}\(?\s{0,3}copy)\s/gi;

/** Whether a command copies to a file only if that file doesn't exist. */
export function copiesOnlyIfMissing({ program, args }: Command, line: string, to: string): boolean {
  if (!/^(?:cp|mv)$/.test(program)) return false;
  if (args.some((arg) => /^-[a-zA-Z]*n|^--(?:no-clobber|update=none)$/.test(arg))) return true;
  const unquotedLine = line.replace(/["']/g, "");
  return (
    [...unquotedLine.matchAll(EXISTENCE_TEST)].some(
      ([, no, not, file, then]) => file === to && ((no ?? not) === undefined) === (then === "||"),
    ) || [...unquotedLine.matchAll(MISSING_TEST)].some(([, one, other]) => (one ?? other)?.replaceAll("\\", "/") === to)
  );
}

/** Describes a change to a secret file, for use in a denial message. */
export const describeChange = (file: string, verb: FileChangeVerb, sentenceEnd = ""): string =>
  `${file} contains secrets, and this would ${verb} it${sentenceEnd}`;
