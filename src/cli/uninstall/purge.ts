import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listPlaces } from "../../call/exceptions/place.ts";
import { findLogSources } from "../../call/log/log-sources.ts";
import { getStateDirectory } from "../../call/state/state-directory.ts";
import { mentionsUs } from "../../operate/machine/plan.ts";
import type { Receipt } from "../../operate/machine/receipts.ts";
import type { Env } from "../../protocol/host/host.ts";
import { readConfigDocument } from "../../policy/read.ts";
import { orAbsent } from "../../system/errors.ts";

/** The files of the state directory: the logs, what counts and locks their lines, and the lock of installations. */
const STATE_FILE =
  /^(?:(?:decisions|payloads)(?:-\d+)?\.(?:jsonl|lost|lock)|install\.lock|notify\.(?:running|shown|failed))(?:-journal)?$/;
const RECEIPTS = "receipts";
/** Its folders; all that is in them was written by bridge-hooks, or by hooks that kept something in it. */
const STATE_FOLDERS: readonly string[] = [
  ...[RECEIPTS, "exports", "rule-checks", "denied", "continuations", "judged", "sessions", "scripts"],
];
/** What is in the folder of exceptions: records, and the marks of those that were used. */
const EXCEPTION_FILE = /^[a-z0-9]+\.json$/;
const USED_FOLDER = "used";

/** What bridge-hooks keeps of an account besides entries in hosts' configs. */
export interface LeftState {
  /** The folders that it is in. */
  folders: readonly string[];
  /** Files and folders of ours in them. */
  paths: readonly string[];
  /** What else lies there; it stays. */
  others: readonly string[];
}

/** Finds what bridge-hooks keeps of this account. Links are not followed. */
export function findLeftState(env: Env): LeftState {
  const places = listPlaces().filter(({ scope }) => scope === "user");
  const found = [
    listOwnFiles(getStateDirectory(env), (entry) =>
      entry.isDirectory() ? STATE_FOLDERS.includes(entry.name) : entry.isFile() && STATE_FILE.test(entry.name),
    ),
    ...places.map(({ folder }) =>
      listOwnFiles(folder, (entry) =>
        entry.isDirectory() ? entry.name === USED_FOLDER : entry.isFile() && EXCEPTION_FILE.test(entry.name),
      ),
    ),
  ];
  return {
    folders: found.filter(({ paths }) => paths.length > 0).map(({ folder }) => folder),
    paths: found.flatMap(({ paths }) => paths),
    others: found.flatMap(({ others }) => others),
  };
}

function listOwnFiles(folder: string, isOwn: (entry: Dirent) => boolean) {
  const nothing = { folder, paths: [], others: [] };
  let entries: Dirent[];
  try {
    if (!lstatSync(folder).isDirectory()) return { ...nothing, others: [folder] };
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not there, or another account's.
    return nothing;
  }
  const [own, others] = [entries.filter(isOwn), entries.filter((entry) => !isOwn(entry))];
  const getPath = ({ name }: Dirent) => join(folder, name);
  return { folder, paths: own.map(getPath), others: others.map(getPath) };
}

/** @throws Error where the managed file says how the log is kept. */
export async function refuseManagedLog(): Promise<void> {
  const managed = findLogSources().find(({ scope }) => scope === "managed");
  if (managed && (await readConfigDocument(managed))?.log !== undefined)
    throw new Error(`--purge: ${managed.path} says how the log is kept, so it stays; ask whoever owns that file`);
}

/** The config files that a receipt in a folder is still about: it undoes the entries that are left there. */
function findHeldFiles(receipts: string): Map<string, string> {
  const held = new Map<string, string>();
  for (const name of orAbsent(() => readdirSync(receipts)) ?? []) {
    const path = join(receipts, name);
    try {
      const { path: config, program } = JSON.parse(readFileSync(path, "utf8")) as Receipt;
      const text = readFileSync(config, "utf8");
      if (mentionsUs(text) || text.includes(program)) held.set(path, config);
    } catch {
      // The config is gone, or this is not a receipt.
    }
  }
  return held;
}

/** What became of the state of an account. */
export interface DeletedState {
  deleted: readonly string[];
  /** Config files that still have entries: what undoes them stays. */
  installed: readonly string[];
}

/** Deletes what bridge-hooks keeps of this account. */
export function deleteLeftState(env: Env): DeletedState {
  const { folders, paths } = findLeftState(env);
  const receipts = join(getStateDirectory(env), RECEIPTS);
  const held = findHeldFiles(receipts);
  const doomed = paths.flatMap((path) =>
    path === receipts && held.size > 0
      ? readdirSync(path)
          .map((name) => join(path, name))
          .filter((one) => !held.has(one))
      : path,
  );
  // A link inside is deleted itself, and not what it leads to.
  for (const path of doomed) rmSync(path, { recursive: true, force: true });
  for (const folder of folders) if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  return { deleted: doomed, installed: [...held.values()] };
}
