import { isDeepStrictEqual } from "node:util";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { Host, Payload } from "../../protocol/host/host.ts";
import type {
  HostDoctor,
  ConfigEntry,
  ConfigFile,
  ConfigProblem,
  InstallScope,
  Setup,
} from "../../protocol/host/install.ts";
import { isInProject } from "../../hosts/follow-links.ts";
import { findDuplicateKey } from "../../hosts/setup/json-problems.ts";
import type { Editor } from "./edit/editor.ts";
import {
  createEditor,
  createRecordedChanges,
  findInstalledEntries,
  type EditTarget,
  type RecordedChanges,
  omitSettings,
} from "./edit/entries.ts";
import { type FileSnapshot, readConfigFile, explainUnwritable } from "./files.ts";
import { type EntryCommand, parseEntryCommand } from "./entry-command.ts";
import type { InstallContext } from "./install-context.ts";
import { readReceipt, type Receipt } from "./receipts.ts";
import { isObject } from "../../protocol/object.ts";

/** A host's config file. */
export interface HostFile {
  host: Host;
  setup: Setup;
  file: ConfigFile;
}

/** A bridge-hooks entry and its parsed command. */
export interface InstalledEntry {
  entry: ConfigEntry;
  call: EntryCommand;
}

/** A config file that contains bridge-hooks entries. */
export interface InstalledFile extends HostFile {
  installedEntries: readonly InstalledEntry[];
}

/** The planned change to one file. */
export interface FilePlan extends HostFile {
  snapshot: FileSnapshot;
  /** The new contents; absent if the file will be removed. */
  after?: string;
  changes: readonly EntryChange[];
  receipt?: Receipt;
  /** Planned changes to anything in the file except entries. */
  traces: RecordedChanges;
}

interface EntryChange {
  native_event: string;
  change: "add" | "change" | "remove" | "keep";
  matcher?: string;
  command: string;
  /** The previous command, if the command changes. */
  was?: string;
}

/** Restores the recorded changes of an earlier installation from its receipt. */
export const restoreTraces = (receipt: Receipt | undefined): RecordedChanges => ({
  made: new Set(receipt?.made),
  was: new Map(Object.entries(receipt?.was ?? {})),
  alone: receipt?.alone ?? false,
});

/** A problem that prevents a file from being written. */
export interface PlanProblem {
  host: string;
  file: string;
  message: string;
}

/**
 * Lists the programs that count as bridge-hooks whatever their name: this executable and the one previously installed
 * in the file.
 */
const listKnownPrograms = ({ self, otherProgram: also }: InstallContext, receipt: Receipt | undefined) =>
  new Set([self, also, receipt?.program].filter((path) => path !== undefined));

/** Creates an edit target that recognizes bridge-hooks entries in a file. */
export function createEditTarget(setup: Setup, file: ConfigFile, context: InstallContext): EditTarget {
  const knownPrograms = listKnownPrograms(context, readReceipt(context.machine.env, file.path));
  return { file, setup, callOf: (entry) => parseEntryCommand(entry, setup, context.machine, knownPrograms) };
}

export const formatPosition = (text: string, offset: number) => {
  const lines = text.slice(0, offset).split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
};

/** Explains that a project's file is a link to a file outside the project. */
export function explainLinkEscape(
  { scope, path }: ConfigFile,
  { target }: FileSnapshot,
  { machine }: InstallContext,
): string | undefined {
  if ((scope !== "project" && scope !== "local") || isInProject(machine, target)) return undefined;
  return `${path} is a link to ${target}, which is outside the project and must not be changed; replace the link with a file`;
}

/** Explains why a file can't be changed, regardless of its contents. */
export function explainObstacle({ setup, file }: HostFile, snapshot: FileSnapshot, context: InstallContext) {
  const out = explainLinkEscape(file, snapshot, context);
  if (out) return out;
  const refusal = snapshot.linked ? setup.explainLinkRefusal?.(file) : undefined;
  if (refusal) return `${file.path}: ${refusal}; replace the link with a regular file`;
  const readonly = explainUnwritable(snapshot);
  return readonly && `${file.path}: ${readonly}`;
}

/** Part of a config file that the host would ignore, and its position. */
export interface ConfigFlaw extends Pick<ConfigProblem, "path" | "extent"> {
  line: string;
  /** The problem without the file, and its position: `line 3, column 1`. */
  message: string;
  position?: string;
}

/** Finds reasons why a host would ignore a config file or part of the file. An empty file has no flaws. */
export const findConfigFlaws = (
  { findConfigProblems }: HostDoctor,
  { path: file }: ConfigFile,
  { text = "", bom }: Pick<FileSnapshot, "text" | "bom">,
): ConfigFlaw[] =>
  text.trim() === ""
    ? []
    : findConfigProblems((bom ? "\ufeff" : "") + text, file).map(({ offset, message, path, extent }) => {
        if (offset === undefined) return { line: `${file}: ${message}`, message, path, extent };
        const position = formatPosition(text, offset - (bom && offset > 0 ? 1 : 0));
        const named = `line ${position.replace(":", ", column ")}`;
        return { line: `${file}:${position}: ${message}`, message, position: named, path, extent };
      });

/** Returns whether the host ignores only the flawed part and uses the rest of the file. */
export const affectsOnlyPart = ({ extent }: ConfigFlaw): boolean => extent === "part";

/** Returns whether unparseable text might contain a bridge-hooks entry. */
export const mentionsBridgeHooks = (text: string): boolean => /--host[ =]/.test(text) || text.includes('"--host"');

/** @throws Error if the document's shape or a duplicate key makes it impossible to add entries. */
export function checkDocumentShape({ file: { path, syntax }, setup }: Omit<HostFile, "host">, editor: Editor): void {
  const value = editor.value();
  if (!isObject(value)) throw new Error(`${path}: not an object; wrap it in braces or move it away`);
  const [kind, isRight] = setup.layout === "flat" ? ["a list", Array.isArray] : ["an object", isObject];
  if (value.hooks !== undefined && !isRight(value.hooks))
    throw new Error(`${path}: "hooks" is not ${kind}; change or remove it`);
  const duplicateKey = syntax === "json" ? findDuplicateKey(editor.text) : undefined;
  if (duplicateKey)
    throw new Error(`${path}:${formatPosition(editor.text, duplicateKey.offset)}: ${duplicateKey.message}`);
}

/**
 * Runs `edit` on a file's contents and plans the resulting change.
 * @throws Error if anything other than bridge-hooks entries would change.
 */
export function planEdit(
  { host, setup, file }: HostFile,
  context: InstallContext,
  edit: (subject: EditTarget, editor: Editor, traces: RecordedChanges) => void,
): FilePlan {
  const snapshot = readConfigFile(file.path);
  const subject = createEditTarget(setup, file, context);
  const traces = createRecordedChanges();
  const editor = createEditor(file, snapshot.text ?? "");
  checkDocumentShape({ file, setup }, editor);
  const oldEntries = findInstalledEntries(subject, editor);
  try {
    edit(subject, editor, traces);
    editor.value();
  } catch (error) {
    throw new Error(
      `${file.path}: ${(error as Error).message}; no changes made; rewrite that part or add the entries manually`,
    );
  }
  if (
    !isDeepStrictEqual(removeInstalledParts(subject, snapshot.text ?? ""), removeInstalledParts(subject, editor.text))
  ) {
    throw new Error(
      `${file.path}: not written, because unrelated parts would change; add the entries manually, and report this problem`,
    );
  }
  const changes = compareEntries(oldEntries, findInstalledEntries(subject, editor));
  // Leave an empty file unchanged if it gets no entries.
  const hasNothingToWrite = (snapshot.text ?? "").trim() === "" && changes.length === 0;
  return {
    host,
    setup,
    file,
    snapshot,
    after: hasNothingToWrite ? snapshot.text : editor.text,
    changes,
    receipt: readReceipt(context.machine.env, file.path),
    traces,
  };
}

/**
 * Returns a document's value without anything that belongs to bridge-hooks: the entries, the containers in `hooks` that
 * are empty without them, and the settings that an installation writes.
 */
function removeInstalledParts(subject: EditTarget, text: string): unknown {
  const { setup, file } = subject;
  const editor = createEditor(file, text);
  const installedPaths = new Set(findInstalledEntries(subject, editor).map(({ path }) => JSON.stringify(path)));
  const removeParts = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (installedPaths.has(JSON.stringify(path))) return undefined;
    const inner: [string | number, unknown][] = Array.isArray(value)
      ? [...value.entries()]
      : isObject(value)
        ? Object.entries(value)
        : [];
    if (inner.length === 0)
      return typeof value === "object" && value !== null && path[0] === "hooks" ? undefined : value;
    const keptItems = inner
      .map(([key, item]) => [key, removeParts(item, [...path, key])] as const)
      .filter(([, item]) => item !== undefined);
    // A group without handlers counts as empty, even if it has a matcher.
    const isBare =
      keptItems.length === 0 ||
      (path.length === 3 && Array.isArray((value as Payload).hooks) && !keptItems.some(([key]) => key === "hooks"));
    if (isBare && path[0] === "hooks") return undefined;
    return Array.isArray(value) ? keptItems.map(([, item]) => item) : Object.fromEntries(keptItems);
  };
  const settings = setup.listSettings({ scope: file.scope as InstallScope, program: "/x" });
  return removeParts(omitSettings(editor.value(), settings), []);
}

function compareEntries(oldEntries: readonly ConfigEntry[], newEntries: readonly ConfigEntry[]): EntryChange[] {
  const describeEntry = ({ native_event, matcher, command, args = [] }: ConfigEntry) => ({
    native_event,
    ...(matcher && { matcher }),
    command: [command, ...args].join(" "),
  });
  const removedEntries = oldEntries.filter(
    (entry) => !newEntries.some(({ native_event }) => native_event === entry.native_event),
  );
  return [
    ...newEntries.map((entry): EntryChange => {
      const sameEvent = oldEntries.filter(({ native_event }) => native_event === entry.native_event);
      const isUnchanged =
        sameEvent.length === 1 &&
        isDeepStrictEqual(sameEvent[0]?.handler, entry.handler) &&
        sameEvent[0]?.matcher === entry.matcher;
      const oldCommand = sameEvent[0] && describeEntry(sameEvent[0]).command;
      const isCommandChanged = oldCommand !== undefined && oldCommand !== describeEntry(entry).command;
      return {
        ...describeEntry(entry),
        change: sameEvent.length === 0 ? "add" : isUnchanged ? "keep" : "change",
        ...(isCommandChanged && { was: oldCommand }),
      };
    }),
    ...removedEntries.map((entry): EntryChange => ({ ...describeEntry(entry), change: "remove" })),
  ];
}

/** If a plan leaves a single-event file empty, turns it into a plan that removes the file. */
export const removeIfEmpty = ({ after, ...plan }: FilePlan): FilePlan =>
  after === undefined || (plan.file.event !== undefined && after.trim() === "") ? plan : { ...plan, after };

/** Applies the plans. After a failure, skips the host's remaining files. */
export function applyFilePlans(files: readonly FilePlan[], apply: (plan: FilePlan) => void): PlanProblem[] {
  const problems: PlanProblem[] = [];
  for (const plan of files) {
    if (problems.some(({ host }) => host === plan.host.id)) continue;
    try {
      apply(plan);
    } catch (error) {
      problems.push({ host: plan.host.id, file: plan.file.path, message: (error as Error).message });
    }
  }
  return problems;
}

export const hasFileChange = ({ snapshot, after }: FilePlan): boolean => snapshot.text !== after;

/** Formats a plan's change as a unified diff. */
export const formatDiff = ({ file, snapshot, after }: FilePlan): string =>
  formatTextDiff(file.path, snapshot.text, after);

/** Formats a file change as a unified diff. Undefined stands for a missing file. */
export const formatTextDiff = (path: string, oldText: string | undefined, newText: string | undefined): string =>
  createTwoFilesPatch(
    oldText === undefined ? "/dev/null" : path,
    newText === undefined ? "/dev/null" : path,
    oldText ?? "",
    newText ?? "",
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY },
  );
