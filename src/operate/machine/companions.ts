import { isDeepStrictEqual } from "node:util";
import type { ConfigFile, ConfigSetting } from "../../protocol/host/install.ts";
import { findJsonProblems } from "../../hosts/setup/json-problems.ts";
import { createEditor, createTraces, putSettings, removeSettings, stripSettings } from "./edit/entries.ts";
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
 * Plans changes to additional files that an installation needs.
 * @throws Error that names a conflicting file.
 */
export function planCompanions(
  { host, setup, file: main }: HostFile,
  context: InstallContext,
  way: "put" | "take",
): FilePlan[] {
  return (setup.listCompanionFiles?.(main, context.machine) ?? []).flatMap((companion) => {
    const file: ConfigFile = { scope: main.scope, path: companion.path, syntax: "json" };
    const found = readConfigFile(file.path);
    if (way === "take" && found.text === undefined) return [];
    const receipt = readReceipt(context.machine.env, file.path);
    // Leave a file unchanged if it doesn't mention bridge-hooks.
    if (way === "take" && !receipt && !found.text?.includes("bridge-hooks")) return [];
    const plan: FilePlan = {
      host,
      setup,
      file,
      found,
      after: found.text,
      changes: [],
      receipt,
      traces: way === "put" ? createTraces() : restoreTraces(receipt),
    };
    plan.after =
      "text" in companion ? planOwnText(companion.text, plan, way) : planSettings(companion.settings, plan, way);
    if (!hasFileChange(plan)) return way === "put" ? [plan] : [];
    const out = explainLinkEscape(file, found, context);
    const readonly = explainUnwritable(found);
    if (out || readonly) throw new Error(out ?? `${file.path}: ${readonly}`);
    return [plan];
  });
}

/** Plans a file that belongs entirely to bridge-hooks. Foreign content is kept. */
function planOwnText(text: string, { file, found, receipt }: FilePlan, way: "put" | "take"): string | undefined {
  const isOurs = found.text === text || (found.text !== undefined && receipt?.after === computeDigest(found.text));
  if (way === "take") return isOurs ? undefined : found.text;
  if (found.text === undefined || isOurs) return text;
  throw new Error(`${file.path} exists and was not written by bridge-hooks; move it away`);
}

/** Plans a user's file with or without the settings that bridge-hooks needs. */
function planSettings(
  settings: readonly ConfigSetting[],
  { file, found, receipt, traces }: FilePlan,
  way: "put" | "take",
): string | undefined {
  checkJsonSyntax(file, found);
  const editor = createEditor(file, found.text ?? "");
  const before = editor.value();
  try {
    if (way === "put") putSettings(editor, settings, traces);
  } catch (error) {
    throw new Error(`${file.path}: ${(error as Error).message}`);
  }
  // Without a receipt, the origin of these settings is unknown. They refer to the entries being removed, so remove them
  // as well.
  if (way === "take" && !receipt)
    for (const { path, value } of settings)
      traces.made.add(JSON.stringify(path)).add(JSON.stringify([...path, String(value)]));

  if (way === "take") removeSettings(editor, settings, traces);
  if (!isDeepStrictEqual(stripSettings(before, settings), stripSettings(editor.value(), settings)))
    throw new Error(
      `${file.path}: not written, because unrelated parts would change; add the entry manually, and report this problem`,
    );
  const original = way === "take" && receipt && findOriginal(receipt, found.text ?? "");
  if (original) return original.text;
  const isEmptied = way === "take" && receipt?.created === true && /^\s*\{\s*\}\s*$/.test(editor.text);
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

/**
 * Lists the differences between the companion files and the files that an installation would write. Each item is one
 * file.
 */
export function findCompanionDrift(main: HostFile, context: InstallContext): string[] {
  try {
    const plans = planCompanions(main, context, "put").filter(hasFileChange);
    return plans.map(
      ({ file, found }) =>
        `${file.path} ${found.text === undefined ? "is missing" : "lacks settings that the installation needs"}`,
    );
  } catch (error) {
    return [(error as Error).message];
  }
}
