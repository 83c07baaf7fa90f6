import { isDeepStrictEqual } from "node:util";
import type { ConfigFile, ConfigSetting } from "../../protocol/host/install.ts";
import { findJsonProblems } from "../../hosts/setup/json-problems.ts";
import { createEditor, createRecordedChanges, writeSettings, removeSettings, omitSettings } from "./edit/entries.ts";
import { readConfigFile, type FileSnapshot, explainUnwritable } from "./files.ts";
import type { InstallContext } from "./install-context.ts";
import {
  hasFileChange,
  type FilePlan,
  type HostFile,
  explainLinkEscape,
  formatPosition,
  restoreTraces,
} from "./plan.ts";
import { computeDigest, findOriginal, readReceipt } from "./receipts.ts";

/**
 * Plans changes to companion files (additional files that an installation needs).
 * @throws Error that names the file if there is a conflict.
 */
export function planCompanions(
  { host, setup, file: main }: HostFile,
  context: InstallContext,
  operation: "put" | "take",
): FilePlan[] {
  return (setup.listCompanionFiles?.(main, context.machine) ?? []).flatMap((companion) => {
    const file: ConfigFile = { scope: main.scope, path: companion.path, syntax: "json" };
    const snapshot = readConfigFile(file.path);
    if (operation === "take" && snapshot.text === undefined) return [];
    const receipt = readReceipt(context.machine.env, file.path);
    // Leave a file unchanged if it doesn't mention bridge-hooks.
    if (operation === "take" && !receipt && !snapshot.text?.includes("bridge-hooks")) return [];
    const plan: FilePlan = {
      host,
      setup,
      file,
      snapshot,
      after: snapshot.text,
      changes: [],
      receipt,
      traces: operation === "put" ? createRecordedChanges() : restoreTraces(receipt),
    };
    plan.after =
      "text" in companion
        ? planOwnFile(companion.text, plan, operation)
        : planSettings(companion.settings, plan, operation);
    if (!hasFileChange(plan)) return operation === "put" ? [plan] : [];
    const out = explainLinkEscape(file, snapshot, context);
    const readonly = explainUnwritable(snapshot);
    if (out || readonly) throw new Error(out ?? `${file.path}: ${readonly}`);
    return [plan];
  });
}

/**
 * Plans the change to a file that belongs entirely to bridge-hooks. A file that another program wrote is never
 * overwritten or removed.
 */
function planOwnFile(
  text: string,
  { file, snapshot, receipt }: FilePlan,
  operation: "put" | "take",
): string | undefined {
  const isOurs =
    snapshot.text === text || (snapshot.text !== undefined && receipt?.after === computeDigest(snapshot.text));
  if (operation === "take") return isOurs ? undefined : snapshot.text;
  if (snapshot.text === undefined || isOurs) return text;
  throw new Error(`${file.path} exists and was not written by bridge-hooks; move the file away`);
}

/** Plans a change to a user's file: adds or removes the settings that bridge-hooks needs. */
function planSettings(
  settings: readonly ConfigSetting[],
  { file, snapshot, receipt, traces }: FilePlan,
  operation: "put" | "take",
): string | undefined {
  checkJsonSyntax(file, snapshot);
  const editor = createEditor(file, snapshot.text ?? "");
  const oldValue = editor.value();
  try {
    if (operation === "put") writeSettings(editor, settings, traces);
  } catch (error) {
    throw new Error(`${file.path}: ${(error as Error).message}`);
  }
  // Without a receipt, it isn't known who wrote these settings. Remove them anyway: they refer to entries that are
  // being removed.
  if (operation === "take" && !receipt)
    for (const { path, value } of settings)
      traces.made.add(JSON.stringify(path)).add(JSON.stringify([...path, String(value)]));

  if (operation === "take") removeSettings(editor, settings, traces);
  if (!isDeepStrictEqual(omitSettings(oldValue, settings), omitSettings(editor.value(), settings)))
    throw new Error(
      `${file.path}: not written, because unrelated parts would change; add the entry manually, and report this problem`,
    );
  const original = operation === "take" && receipt && findOriginal(receipt, snapshot.text ?? "");
  if (original) return original.text;
  const isEmptied = operation === "take" && receipt?.created === true && /^\s*\{\s*\}\s*$/.test(editor.text);
  return isEmptied ? undefined : editor.text;
}

/** @throws Error if a file isn't editable JSON. */
function checkJsonSyntax({ path }: ConfigFile, { text = "" }: FileSnapshot): void {
  const [flaw] =
    (text.trim() &&
      findJsonProblems(
        text,
        { comments: true, trailingComma: true, bom: true },
        "write it as JSON, with or without comments",
      )) ||
    [];
  if (flaw) throw new Error(`${path}:${formatPosition(text, flaw.offset ?? 0)}: ${flaw.message}`);
}

/** Lists the companion files that differ from those an installation would write. */
export function findCompanionDrift(main: HostFile, context: InstallContext): string[] {
  try {
    const plans = planCompanions(main, context, "put").filter(hasFileChange);
    return plans.map(
      ({ file, snapshot }) =>
        `${file.path} ${snapshot.text === undefined ? "is missing" : "lacks settings that the installation needs"}`,
    );
  } catch (error) {
    return [(error as Error).message];
  }
}
