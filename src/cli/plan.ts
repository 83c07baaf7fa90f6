import { isDeepStrictEqual } from "node:util";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { Host } from "../core/host.ts";
import type { Check, ConfigEntry, ConfigFile, Scope, Setup } from "../core/setup.ts";
import { editorOf, type Made, type Subject } from "./edit/entries.ts";
import { at, type Editor } from "./edit/editor.ts";
import { type Found, find, unwritable } from "./files.ts";
import { callOf } from "./ours.ts";
import type { World } from "./place.ts";
import { readReceipt, type Receipt } from "./state.ts";

/** What is to happen to one file. */
export interface FilePlan {
  host: Host;
  setup: Setup;
  file: ConfigFile;
  found: Found;
  /** The new text; absent: the file goes. */
  after?: string;
  changes: readonly EntryChange[];
  receipt?: Receipt;
  made: Made;
}

export interface EntryChange {
  native_event: string;
  change: "add" | "change" | "remove" | "keep";
  matcher?: string;
  command: string;
}

/** Something that keeps a file from being written; `place` is line:column. */
export interface Problem {
  host: string;
  file: string;
  message: string;
}

/** Programs that are ours under whatever name: this executable, and what was installed in this file. */
export const knownPrograms = ({ self }: World, receipt: Receipt | undefined) =>
  new Set([self, receipt?.program].filter((path) => path !== undefined));

/** Which entries of a file are ours. */
export function subjectOf(setup: Setup, file: ConfigFile, world: World): Subject {
  const known = knownPrograms(world, readReceipt(world.place.env, file.path));
  return { file, setup, isOurs: (entry) => callOf(entry, setup, world.place, known) !== undefined };
}

const lineAndColumn = (text: string, offset: number) => {
  const lines = text.slice(0, offset).split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
};

/** Why a file can't be changed as it is, or would not be obeyed; one line each. */
export async function hindrances(setup: Setup, file: ConfigFile, found: Found): Promise<string[]> {
  const { text, linked } = found;
  const refusal = linked ? setup.refuses_links?.(file) : undefined;
  if (refusal) return [`${file.path}: ${refusal}; put the file itself there`];
  const readonly = unwritable(found);
  if (readonly) return [`${file.path}: ${readonly}`];
  if (text === undefined || text.trim() === "") return [];
  return flawLines(await setup.check(), file, found);
}

/** Why a host would not obey a file, with its place; one line each. */
export const flawLines = ({ flaws }: Check, { path }: ConfigFile, { text = "", bom }: Found): string[] =>
  flaws((bom ? "\ufeff" : "") + text, path).map(({ offset, message }) => {
    const place = offset === undefined ? "" : `:${lineAndColumn(text, offset - (bom && offset > 0 ? 1 : 0))}`;
    return `${path}${place}: ${message}`;
  });

/** The plan for a file after `edit` has changed its text. @throws Error when anything but our entries would change. */
export function planOf(
  host: Host,
  setup: Setup,
  file: ConfigFile,
  world: World,
  edit: (subject: Subject, editor: Editor, made: Made) => void,
): FilePlan {
  const found = find(file.path);
  const subject = subjectOf(setup, file, world);
  const made: Made = new Set();
  const editor = editorOf(file, found.text ?? "");
  const before = setup.entries(editor.text, file.path);
  edit(subject, editor, made);
  const after = setup.entries(editor.text, file.path);
  if (!isDeepStrictEqual(foreign(subject, found.text ?? ""), foreign(subject, editor.text))) {
    throw new Error(
      `${file.path}: something else in it would be changed; nothing was written. Put the entries in by hand, and report this`,
    );
  }
  const changes = changesOf(before.filter(subject.isOurs), after.filter(subject.isOurs));
  // Nothing in it before, and nothing to put there.
  const idle = (found.text ?? "").trim() === "" && changes.length === 0;
  return {
    host,
    setup,
    file,
    found,
    after: idle ? found.text : editor.text,
    changes,
    receipt: readReceipt(world.place.env, file.path),
    made,
  };
}

/** What of a document is not ours. */
function foreign({ setup, file, isOurs }: Subject, text: string): unknown {
  const editor = editorOf(file, text);
  const value = structuredClone(editor.value()) as Record<string, unknown>;
  const prune = (path: readonly (string | number)[]) => {
    const parent = at(value, path.slice(0, -1));
    if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1);
    else if (parent) delete (parent as Record<string, unknown>)[path.at(-1) as string];
    if (parent && path.length > 1 && Object.keys(parent).length === 0) prune(path.slice(0, -1));
  };
  const ours = setup.entries(editor.text, file.path).filter(isOurs);
  for (const { path } of ours.toReversed()) {
    // With its group goes the group's matcher.
    const group = path.slice(0, -2);
    const alone = setup.layout === "groups" && (at(value, path.slice(0, -1)) as unknown[]).length === 1;
    prune(alone ? group : path);
  }
  for (const { path } of setup.settings({ scope: file.scope as Scope, program: "/x" })) if (at(value, path) !== undefined) prune(path);
  for (const [event, list] of Object.entries((value.hooks as object | undefined) ?? {}))
    if (Array.isArray(list) && list.length === 0) prune(["hooks", event]);
  if (value.hooks && Object.keys(value.hooks).length === 0) delete value.hooks;
  return value;
}

function changesOf(before: readonly ConfigEntry[], after: readonly ConfigEntry[]): EntryChange[] {
  const shown = ({ native_event, matcher, command, args = [] }: ConfigEntry) => ({
    native_event,
    ...(matcher && { matcher }),
    command: [command, ...args].join(" "),
  });
  const gone = before.filter((entry) => !after.some(({ native_event }) => native_event === entry.native_event));
  return [
    ...after.map((entry): EntryChange => {
      const same = before.filter(({ native_event }) => native_event === entry.native_event);
      const kept = same.length === 1 && isDeepStrictEqual(same[0]?.handler, entry.handler) && same[0]?.matcher === entry.matcher;
      return { ...shown(entry), change: same.length === 0 ? "add" : kept ? "keep" : "change" };
    }),
    ...gone.map((entry): EntryChange => ({ ...shown(entry), change: "remove" })),
  ];
}

/** Whether carrying out the plan would write anything. */
export const changesFile = ({ found, after }: FilePlan): boolean => found.text !== after;

/** What a plan does to its file, as a unified diff. */
export function diffOf({ file, found, after }: FilePlan): string {
  const [from, to] = [found.text === undefined ? "/dev/null" : file.path, after === undefined ? "/dev/null" : file.path];
  return createTwoFilesPatch(from, to, found.text ?? "", after ?? "", undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}
