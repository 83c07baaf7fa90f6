import { rmSync } from "node:fs";
import { backUpFile, listMissingFolders, removeFile, replaceConfigFile } from "../../operate/machine/files.ts";
import type { InstallContext } from "../../operate/machine/install-context.ts";
import { applyFilePlans, hasFileChange, type FilePlan, type PlanProblem } from "../../operate/machine/plan.ts";
import { computeDigest, deleteReceipt, writeReceipt, type Receipt } from "../../operate/machine/receipts.ts";
import type { InstallPlan, InstallOptions } from "./install.ts";

/**
 * Applies a plan file by file, and returns the files that couldn't be written, for example because another program
 * changed them.
 */
export const applyInstall = (plan: InstallPlan, options: InstallOptions, context: InstallContext): PlanProblem[] =>
  applyFilePlans(plan.files, (plannedFile) => {
    if (!hasFileChange(plannedFile)) return;
    if (plannedFile.after !== undefined)
      return writeFilePlan(plannedFile, plannedFile.after, { options, program: plan.program }, context);
    removeFile(plannedFile.file.path, plannedFile.snapshot);
    deleteReceipt(context.machine.env, plannedFile.file.path);
  });

/** Properties shared by all files of an installation. */
interface AppliedInstall {
  options: InstallOptions;
  program: string;
}

/** Creates the receipt that records what an installation changes in a file. */
function createReceipt(plan: FilePlan, newText: string, { options, program }: AppliedInstall): Receipt {
  const { snapshot, file, host, receipt, traces } = plan;
  const base = {
    path: file.path,
    host: host.id,
    scope: options.scope,
    program,
    after: computeDigest(newText),
  };
  // The file had bridge-hooks entries before this installation, so its original text is only in an earlier receipt.
  const hadEntries =
    plan.changes.length > 0 ? plan.changes.some(({ change }) => change !== "add") : receipt !== undefined;
  if (hadEntries) {
    // Without a receipt, it is unknown who created the lists around the entries. Assume that bridge-hooks did, so that
    // uninstalling removes the lists with the entries.
    const listPaths = [["hooks"], ...plan.changes.map(({ native_event }) => ["hooks", native_event])].map((path) =>
      JSON.stringify(path),
    );
    const old = receipt ?? {
      events: [],
      created: false,
      folders: [],
      made: listPaths,
      was: {},
      alone: false,
      exact: false,
      after: "",
    };
    const coversAllEvents = options.events.length === 0 || (receipt !== undefined && old.events.length === 0);
    const isExact = old.exact && old.after === computeDigest(snapshot.text ?? "");
    const createdPaths = [...new Set([...old.made, ...traces.made])];
    const events = coversAllEvents ? [] : [...new Set([...old.events, ...options.events])];
    return {
      ...old,
      ...base,
      events,
      made: createdPaths,
      was: { ...Object.fromEntries(traces.was), ...old.was },
      exact: isExact,
    };
  }
  const isNewFile = snapshot.text === undefined;
  const backup = isNewFile ? undefined : { path: backUpFile(snapshot), digest: computeDigest(snapshot.text ?? "") };
  const [made, was, folders] = [[...traces.made], Object.fromEntries(traces.was), listMissingFolders(file.path)];
  return {
    ...base,
    events: [...options.events],
    created: isNewFile,
    folders,
    made,
    was,
    ...(backup && { backup }),
    alone: traces.alone,
    exact: true,
  };
}

function writeFilePlan(plan: FilePlan, newText: string, applied: AppliedInstall, context: InstallContext): void {
  const { file, snapshot, receipt } = plan;
  const { env } = context.machine;
  // Write the receipt before the file. If the process dies in between, the receipt describes content that never
  // existed, so it is ignored.
  const newReceipt = createReceipt(plan, newText, applied);
  writeReceipt(env, newReceipt);
  try {
    replaceConfigFile(file.path, snapshot, newText);
  } catch (error) {
    if (receipt) writeReceipt(env, receipt);
    else deleteReceipt(env, file.path);
    if (newReceipt.backup && newReceipt.backup.path !== receipt?.backup?.path)
      rmSync(newReceipt.backup.path, { force: true });
    throw error;
  }
}
