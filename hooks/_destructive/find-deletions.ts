import { type Command, type FindStep, readFindArguments } from "bridge-hooks";
import { createPlaceFinder } from "./place-finder.ts";
import { type LineContext, isPrecious, type OperandWord } from "./places.ts";

/** Tests of find that choose some files of all. */
const CHOOSING_TEST =
  /^-(i?(name|path|wholename|regex|lname)|[acm](time|min)|newer\w*|size|empty|user|group|uid|gid|perm|inum|samefile|links|nouser)$/;
const REMOVERS = "(rm|srm|shred|unlink|truncate|rimraf)\\s";
/** What find runs on each file, where that deletes: `rm …`, `sh -c 'rm …'`. */
const DELETING_COMMAND = new RegExp(`^(sudo\\s+)?((\\S*/)?${REMOVERS}|\\S*sh\\s+-\\w*c\\s.*\\b${REMOVERS})`, "s");

/** The folder below which `find` deletes what nobody wants to lose. What it chooses by a test may go, except from everywhere. */
export function findDeletedFolder(command: Command, here: LineContext): string | undefined {
  const { args, dynamic } = command;
  const operands = args.map((text, at): OperandWord => ({
    text,
    ...(dynamic[at] !== undefined && { dynamic: dynamic[at] }),
  }));
  const { starts, steps } = readFindArguments(args);
  const deletes = steps.some(
    ({ word, kind, values }) => word === "-delete" || (kind === "run" && DELETING_COMMAND.test(values.join(" "))),
  );
  if (!deletes) return undefined;
  const chosen = steps.some(
    ({ word, values: [value = ""] }, at) =>
      CHOOSING_TEST.test(word) && !/^(!|-not)$/.test(steps[at - 1]?.word ?? "") && !/^(\*|\.\*|\*\.\*)$/.test(value),
  );
  const from = starts.length > 0 ? starts.map((at) => operands[at] as OperandWord) : [{ text: "." }];
  const found = createPlaceFinder((place, at) =>
    chosen ? place.path === "/" : isPrecious({ ...place, isContents: true }, at),
  )(from, command, here);
  return (
    found ??
    (steps.some((step) => isRepositoryTest(args, step))
      ? createPlaceFinder(isPrecious)(from.map(toRepositoryOperand), command, here)
      : undefined)
  );
}

const toRepositoryOperand = ({ text, dynamic }: OperandWord): OperandWord => ({
  text: `${text}/.git`,
  ...(dynamic !== undefined && { dynamic: `${dynamic}/.git` }),
});

/** Whether find chooses by the test at a place, among others, the `.git` that is directly where it starts. */
function isRepositoryTest(args: readonly string[], { kind, at, values: [value = ""] }: FindStep): boolean {
  if (kind !== "name" || !/^(\*?\/?|\.\/)\.git(\/\*)?$/.test(value)) return false;
  const [before, behind] = [
    args.slice(Math.max(0, at - MAX_SURROUNDING_WORDS), at).join(" "),
    args.slice(at + 2, at + MAX_SURROUNDING_WORDS).join(" "),
  ];
  const open = before.slice(Math.max(0, before.lastIndexOf(")")));
  const isLeftOut = /(^| )(!|-not)( \(|$)/.test(open) || /^([^-]|-(?!prune ))*-prune (\) )*-or? /.test(behind);
  return !isLeftOut && !(Number(args[args.indexOf("-mindepth") + 1]) > 1);
}
/** How many words of a search are looked at around such a test. */
const MAX_SURROUNDING_WORDS = 20;
