import { rmSync, statSync } from "node:fs";
import { orAbsent } from "../../system/errors.ts";
import type { ConfigFile, InstallScope, Setup } from "../../protocol/host/install.ts";
import { hosts } from "../../hosts/index.ts";
import { planCompanions } from "../../operate/machine/companions.ts";
import { needsSettings, readEntries, removeEntries, removeSettings } from "../../operate/machine/edit/entries.ts";
import {
  readConfigFile,
  mayPathExist,
  removeFile,
  removeEmptyFolders,
  replaceConfigFile,
  explainUnwritable,
} from "../../operate/machine/files.ts";
import { findPresentHosts, type InstallContext } from "../../operate/machine/install-context.ts";
import {
  applyFilePlans,
  type FilePlan,
  type HostFile,
  explainLinkEscape,
  mentionsBridgeHooks,
  planEdit,
  type PlanProblem,
  restoreTraces,
} from "../../operate/machine/plan.ts";
import {
  computeDigest,
  deleteReceipt,
  findOriginal,
  isBackupUnchanged,
  writeReceipt,
  readReceipt,
} from "../../operate/machine/receipts.ts";
import { readInstalledEntries } from "../../operate/machine/status.ts";
import { checkEventNames, listNativeEvents } from "../../operate/machine/desired-entries.ts";

interface UninstallOptions {
  /** Host IDs; an empty list or "auto" selects all hosts. */
  hosts: readonly string[];
  scope: InstallScope;
  /** Native or unified events; an empty list or "all" selects all events. */
  events: readonly string[];
}

export interface UninstallPlan {
  files: readonly FilePlan[];
  /** Files that can't be changed. All other files are still changed. */
  problems: readonly PlanProblem[];
}

/** Plans the removal of bridge-hooks entries without writing anything. */
export async function planUninstall(options: UninstallOptions, context: InstallContext): Promise<UninstallPlan> {
  checkEventNames(options.events, options.hosts);
  const files: FilePlan[] = [];
  const problems: PlanProblem[] = [];
  // A host that was removed from this machine may have left entries behind.
  const hostIds = options.hosts.some((id) => id !== "auto") ? options.hosts : hosts.map(({ id }) => id);
  for (const { host, setup } of await findPresentHosts(hostIds, context.machine)) {
    for (const file of setup.listConfigFiles(context.machine)) {
      if (file.scope !== options.scope) continue;
      try {
        const plan = planFileRemoval({ host, setup, file }, options, context);
        const isMissing = !plan && !mayPathExist(file.path);
        const removesEverything = plan?.changes.every(({ change }) => change === "remove");
        // Remove companion files before the file they accompany, even if that file no longer exists.
        if (file.target && (isMissing || removesEverything))
          files.push(...planCompanions({ host, setup, file }, context, "take").reverse());
        if (plan) files.push(plan);
      } catch (error) {
        problems.push({ host: host.id, file: file.path, message: (error as Error).message });
      }
    }
  }
  return { files, problems };
}

function planFileRemoval(target: HostFile, options: UninstallOptions, context: InstallContext): FilePlan | undefined {
  const { host, setup, file } = target;
  // Directories and dangling links have no bridge-hooks entries.
  if (!orAbsent(() => statSync(file.path))?.isFile()) return undefined;
  const content = readConfigFile(file.path);
  const text = content.text ?? "";
  if (!hasOurEntries(setup, file, text, context)) return undefined;
  const out = explainLinkEscape(file, content, context);
  if (out) throw new Error(out);
  const readonly = explainUnwritable(content);
  if (readonly) throw new Error(`${file.path}: ${readonly}`);
  const receipt = readReceipt(context.machine.env, file.path);
  const traces = restoreTraces(receipt);
  const events = listNativeEvents(host, options.events);
  let empty = false;
  const plan = planEdit(target, context, (subject, editor) => {
    // Without a receipt, it is unknown who created an empty list. Remove it, because it is useless.
    const listPaths = readEntries(setup, editor.text, file.path).map(({ native_event }) =>
      JSON.stringify(["hooks", native_event]),
    );
    const keep = new Set(
      receipt ? [JSON.stringify(["hooks"]), ...listPaths].filter((path) => !traces.made.has(path)) : [],
    );
    removeEntries(subject, editor, events, keep);
    const settings = setup.listSettings({ scope: options.scope, program: receipt?.program ?? "" });
    if (!needsSettings(subject, editor, traces)) removeSettings(editor, settings, traces);
    empty =
      typeof file.syntax === "object" ? isEmpty(editor.value()) : receipt?.created === true && isEmpty(editor.text);
  });
  if (!plan.changes.some(({ change }) => change === "remove")) return undefined;
  const original = !events && receipt ? findOriginal(receipt, text) : undefined;
  return { ...plan, after: original ? original.text : empty ? undefined : plan.after };
}

/** Whether a document has no content left; in raw text, comments count as content. */
const isEmpty = (remaining: unknown) =>
  /^\s*(\{\s*\})?\s*$/.test(typeof remaining === "string" ? remaining : JSON.stringify(remaining));

function hasOurEntries(setup: Setup, file: ConfigFile, text: string, context: InstallContext): boolean {
  try {
    return readInstalledEntries(setup, file, text, context).length > 0;
  } catch (error) {
    // A file that can't be parsed can stay unchanged if it doesn't mention bridge-hooks.
    if (!mentionsBridgeHooks(text)) return false;
    throw new Error(
      `${file.path} can't be parsed (${(error as Error).message}), so nothing was removed; fix the file first`,
    );
  }
}

/**
 * Applies a plan file by file, and returns the files that couldn't be changed, for example because another program
 * changed them.
 */
export function applyUninstall({ files }: UninstallPlan, { machine }: InstallContext): PlanProblem[] {
  const problems = applyFilePlans(files, ({ file, snapshot, after, receipt, changes }) => {
    if (after === undefined) removeFile(file.path, snapshot);
    else replaceConfigFile(file.path, snapshot, after);
    const events = changes.filter(({ change }) => change !== "remove").map(({ native_event }) => native_event);
    if (receipt && events.length > 0) {
      writeReceipt(machine.env, { ...receipt, events, after: computeDigest(after ?? ""), exact: false });
      return;
    }
    if (receipt?.backup && isBackupUnchanged(receipt.backup)) rmSync(receipt.backup.path);
    deleteReceipt(machine.env, file.path);
  });
  // Remove directories after all files, because files can share them.
  for (const { after, receipt } of files) if (after === undefined) removeEmptyFolders(receipt?.folders ?? []);
  return problems;
}
