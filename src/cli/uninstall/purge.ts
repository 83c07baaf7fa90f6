import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listExceptionDirectories } from "../../call/exceptions/exception-directories.ts";
import { findLogSources } from "../../call/log/log-sources.ts";
import { getStateDirectory } from "../../call/state/state-directory.ts";
import { mentionsBridgeHooks } from "../../operate/machine/plan.ts";
import type { Receipt } from "../../operate/machine/receipts.ts";
import type { Env } from "../../protocol/host/host.ts";
import { readConfigDocument } from "../../policy/read.ts";
import { listConfigSources } from "../../policy/sources.ts";
import { ownExecutable } from "../../system/own-command.ts";
import { orAbsent } from "../../system/errors.ts";

/** Files in the state directory: logs, log counters and locks, the installation lock, the copies, and the last report. */
const STATE_FILE =
  /^(?:(?:decisions|payloads)(?:-\d+)?\.(?:jsonl|lost|lock)|install\.lock|copies\.json|report\.html|notify\.(?:running|shown|failed))(?:-journal)?$/;
const RECEIPTS_FOLDER = "receipts";
/** Subdirectories of the state directory. Only bridge-hooks and hooks that store state write there. */
const STATE_FOLDERS: readonly string[] = [
  ...[RECEIPTS_FOLDER, "exports", "rule-checks", "denied", "continuations", "judged", "sessions", "scripts"],
];
/** Files in the exceptions directory: records and usage marks. */
const EXCEPTION_FILE = /^[a-z0-9]+\.json$/;
const USAGE_MARKERS_FOLDER = "used";

/** Data that bridge-hooks keeps for an account, besides entries in hosts' configs. */
export interface RemainingState {
  /** The directories that contain the data. */
  folders: readonly string[];
  /** Files and directories that belong to bridge-hooks. */
  paths: readonly string[];
  /** Other files in these directories, which are kept. */
  others: readonly string[];
}

/** Finds the data that bridge-hooks keeps for this account. Links aren't followed. */
export function findRemainingState(env: Env): RemainingState {
  const directories = listExceptionDirectories().filter(({ scope }) => scope === "user");
  const results = [
    listOwnFiles(getStateDirectory(env), (entry) =>
      entry.isDirectory() ? STATE_FOLDERS.includes(entry.name) : entry.isFile() && STATE_FILE.test(entry.name),
    ),
    ...directories.map(({ folder }) =>
      listOwnFiles(folder, (entry) =>
        entry.isDirectory() ? entry.name === USAGE_MARKERS_FOLDER : entry.isFile() && EXCEPTION_FILE.test(entry.name),
      ),
    ),
  ];
  return {
    folders: results.filter(({ paths }) => paths.length > 0).map(({ folder }) => folder),
    paths: results.flatMap(({ paths }) => paths),
    others: results.flatMap(({ others }) => others),
  };
}

function listOwnFiles(folder: string, isOwnEntry: (entry: Dirent) => boolean) {
  const emptyResult = { folder, paths: [], others: [] };
  let entries: Dirent[];
  try {
    if (!lstatSync(folder).isDirectory()) return { ...emptyResult, others: [folder] };
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // The directory doesn't exist, or belongs to another account.
    return emptyResult;
  }
  const [own, others] = [entries.filter(isOwnEntry), entries.filter((entry) => !isOwnEntry(entry))];
  const getPath = ({ name }: Dirent) => join(folder, name);
  return { folder, paths: own.map(getPath), others: others.map(getPath) };
}

/** Lists the files that even `--purge` keeps: the config files that apply in a directory, and this executable. */
export const listKeptFiles = (cwd: string): string[] => [
  ...listConfigSources(cwd).flatMap(({ path }) => (existsSync(path) ? [path] : [])),
  ...(ownExecutable === undefined ? [] : [ownExecutable]),
];

/** @throws Error if the managed file configures the log. */
export async function refuseManagedLog(): Promise<void> {
  const managed = findLogSources().find(({ scope }) => scope === "managed");
  if (managed && (await readConfigDocument(managed))?.log !== undefined)
    throw new Error(`--purge: ${managed.path} configures the log, so it can't be deleted; ask the owner of that file`);
}

/** Finds config files whose receipts are still needed to undo remaining entries. */
function findFilesWithEntries(receipts: string): Map<string, string> {
  const remainingFiles = new Map<string, string>();
  for (const name of orAbsent(() => readdirSync(receipts)) ?? []) {
    const path = join(receipts, name);
    try {
      const { path: config, program } = JSON.parse(readFileSync(path, "utf8")) as Receipt;
      const text = readFileSync(config, "utf8");
      if (mentionsBridgeHooks(text) || text.includes(program)) remainingFiles.set(path, config);
    } catch {
      // The config file no longer exists, or this file isn't a receipt.
    }
  }
  return remainingFiles;
}

/** The result of deleting an account's data. */
export interface DeletedState {
  deleted: readonly string[];
  /** Config files that still have entries. Their receipts are kept. */
  installed: readonly string[];
}

/** Deletes the data that bridge-hooks keeps for this account. */
export function deleteRemainingState(env: Env): DeletedState {
  const { folders, paths } = findRemainingState(env);
  const receipts = join(getStateDirectory(env), RECEIPTS_FOLDER);
  const remainingFiles = findFilesWithEntries(receipts);
  const deletedPaths = paths.flatMap((path) =>
    path === receipts && remainingFiles.size > 0
      ? readdirSync(path)
          .map((name) => join(path, name))
          .filter((file) => !remainingFiles.has(file))
      : path,
  );
  // Deletes links themselves, not their targets.
  for (const path of deletedPaths) rmSync(path, { recursive: true, force: true });
  for (const folder of folders) if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  return { deleted: deletedPaths, installed: [...remainingFiles.values()] };
}
