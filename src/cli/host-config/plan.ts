import { isDeepStrictEqual } from "node:util";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { Host, Payload } from "../../protocol/host/host.ts";
import type { Check, ConfigEntry, ConfigFile, Scope, Setup } from "../../protocol/host/install.ts";
import { isUnder, resolveLinks } from "../../hosts/follow-links.ts";
import { twiceIn } from "../../hosts/json.ts";
import type { Editor } from "./edit/editor.ts";
import { editorOf, noTraces, oursIn, type Subject, type Traces, withoutSettings } from "./edit/entries.ts";
import { type Found, find, unwritable } from "./files.ts";
import { callOf } from "./ours.ts";
import type { World } from "./place.ts";
import { readReceipt, type Receipt } from "./state.ts";
import { isObject } from "../../protocol/object.ts";

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
  /** What was changed besides entries. */
  traces: Traces;
}

interface EntryChange {
  native_event: string;
  change: "add" | "change" | "remove" | "keep";
  matcher?: string;
  command: string;
  /** The command before, where it was another. */
  was?: string;
}

/** What an earlier installation changed besides entries. */
export const tracesOf = (receipt: Receipt | undefined): Traces => ({
  made: new Set(receipt?.made),
  was: new Map(Object.entries(receipt?.was ?? {})),
  alone: receipt?.alone ?? false,
});

/** Something that keeps a file from being written. */
export interface Problem {
  host: string;
  file: string;
  message: string;
}

/** Programs that are ours under whatever name: this executable, and what was installed in this file. */
const knownPrograms = ({ self, also }: World, receipt: Receipt | undefined) =>
  new Set([self, also, receipt?.program].filter((path) => path !== undefined));

/** Which entries of a file are ours. */
export function subjectOf(setup: Setup, file: ConfigFile, world: World): Subject {
  const known = knownPrograms(world, readReceipt(world.place.env, file.path));
  return { file, setup, callOf: (entry) => callOf(entry, setup, world.place, known) };
}

export const lineAndColumn = (text: string, offset: number) => {
  const lines = text.slice(0, offset).split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
};

/** Why a project's file is not the project's own. */
export function leadsOut({ scope, path }: ConfigFile, { target }: Found, { place }: World): string | undefined {
  if ((scope !== "project" && scope !== "local") || place.roots.some((root) => isUnder(resolveLinks(root), target)))
    return undefined;
  return `${path} leads out of the project, to ${target}; a project must not say what else is changed. Put the file itself there`;
}

/** Why a file can't be changed as it is, or would not be obeyed; one line each. */
export async function hindrances(
  { host, setup }: Pick<FilePlan, "host" | "setup">,
  file: ConfigFile,
  found: Found,
  world: World,
): Promise<string[]> {
  const { text, linked } = found;
  const out = leadsOut(file, found, world);
  if (out) return [out];
  const refusal = linked ? setup.refuses_links?.(file) : undefined;
  if (refusal) return [`${file.path}: ${refusal}; put the file itself there`];
  const readonly = unwritable(found);
  if (readonly) return [`${file.path}: ${readonly}`];
  if (text === undefined || text.trim() === "") return [];
  return flawLines(await host.check(), file, found);
}

/** Why a host would not obey a file, with its place; one line each. */
export const flawLines = ({ flaws }: Check, { path }: ConfigFile, { text = "", bom }: Found): string[] =>
  flaws((bom ? "\ufeff" : "") + text, path).map(({ offset, message }) => {
    const place = offset === undefined ? "" : `:${lineAndColumn(text, offset - (bom && offset > 0 ? 1 : 0))}`;
    return `${path}${place}: ${message}`;
  });

/** @throws Error where a document is not of the form that entries can be put into, or says a key twice. */
export function checkShape({ path, syntax }: ConfigFile, editor: Editor): void {
  const value = editor.value();
  if (!isObject(value)) throw new Error(`${path}: it is no object; make it one, in braces, or move it away`);
  const { hooks = {} } = value;
  if (!isObject(hooks)) throw new Error(`${path}: "hooks" is no object; make it one, or take it out`);
  const odd = Object.entries(hooks).find(([, list]) => isObject(list) || list === null);
  if (odd && syntax === "json") throw new Error(`${path}: "hooks.${odd[0]}" is no list; make it one, or take it out`);
  const twice = syntax === "json" ? twiceIn(editor.text) : undefined;
  if (twice) throw new Error(`${path}:${lineAndColumn(editor.text, twice.offset)}: ${twice.message}`);
}

/** The plan for a file after `edit` has changed its text. @throws Error when anything but our entries would change. */
export function planOf(
  host: Host,
  setup: Setup,
  file: ConfigFile,
  world: World,
  edit: (subject: Subject, editor: Editor, traces: Traces) => void,
): FilePlan {
  const found = find(file.path);
  const subject = subjectOf(setup, file, world);
  const traces = noTraces();
  const editor = editorOf(file, found.text ?? "");
  checkShape(file, editor);
  const before = oursIn(subject, editor);
  try {
    edit(subject, editor, traces);
    editor.value();
  } catch (error) {
    throw new Error(
      `${file.path}: ${(error as Error).message}; nothing was written. Write that part another way, or put the entries in by hand`,
    );
  }
  if (!isDeepStrictEqual(foreign(subject, found.text ?? ""), foreign(subject, editor.text))) {
    throw new Error(
      `${file.path}: something else in it would be changed; nothing was written. Put the entries in by hand, and report this`,
    );
  }
  const changes = changesOf(before, oursIn(subject, editor));
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
    traces,
  };
}

/** What of a document is not ours, without what is empty in `hooks` then, and without the settings that an installation puts. */
function foreign(subject: Subject, text: string): unknown {
  const { setup, file } = subject;
  const editor = editorOf(file, text);
  const ours = new Set(oursIn(subject, editor).map(({ path }) => JSON.stringify(path)));
  const rest = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (ours.has(JSON.stringify(path))) return undefined;
    const inner: [string | number, unknown][] = Array.isArray(value)
      ? [...value.entries()]
      : isObject(value)
        ? Object.entries(value)
        : [];
    if (inner.length === 0)
      return typeof value === "object" && value !== null && path[0] === "hooks" ? undefined : value;
    const kept = inner
      .map(([key, item]) => [key, rest(item, [...path, key])] as const)
      .filter(([, item]) => item !== undefined);
    // A group without handlers is none, whatever its matcher.
    const bare =
      kept.length === 0 ||
      (path.length === 3 && Array.isArray((value as Payload).hooks) && !kept.some(([key]) => key === "hooks"));
    if (bare && path[0] === "hooks") return undefined;
    return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
  };
  const settings = setup.settings({ scope: file.scope as Scope, program: "/x" });
  return rest(withoutSettings(editor.value(), settings), []);
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
      const kept =
        same.length === 1 && isDeepStrictEqual(same[0]?.handler, entry.handler) && same[0]?.matcher === entry.matcher;
      const was = same[0] && shown(same[0]).command;
      const changed = was !== undefined && was !== shown(entry).command;
      return { ...shown(entry), change: same.length === 0 ? "add" : kept ? "keep" : "change", ...(changed && { was }) };
    }),
    ...gone.map((entry): EntryChange => ({ ...shown(entry), change: "remove" })),
  ];
}

/** Whether carrying out the plan would write anything. */
export const changesFile = ({ found, after }: FilePlan): boolean => found.text !== after;

/** What a plan does to its file, as a unified diff. */
export function diffOf({ file, found, after }: FilePlan): string {
  const [from, to] = [
    found.text === undefined ? "/dev/null" : file.path,
    after === undefined ? "/dev/null" : file.path,
  ];
  return createTwoFilesPatch(from, to, found.text ?? "", after ?? "", undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}
