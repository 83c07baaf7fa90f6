import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isAbsentError, orAbsent } from "../../system/errors.ts";
import { getManagedConfig, getUserConfigSteps } from "../../policy/config-paths.ts";
import { findOwnHome } from "./own-home.ts";

/** A folder of exceptions. No environment variable moves it. */
export interface ExceptionPlace {
  scope: "managed" | "user";
  folder: string;
  /** The account that has to own it. */
  owner: number;
}

const FOLDER = "exceptions";

/** The places, the strongest first; none where owners can't be told. */
export function listPlaces(): ExceptionPlace[] {
  const owner = process.geteuid?.();
  const home = findOwnHome(owner);
  if (owner === undefined || !home) return [];
  return [
    { scope: "managed", folder: join(dirname(getManagedConfig()), FOLDER), owner: 0 },
    { scope: "user", folder: join(home, ...getUserConfigSteps().slice(0, -1), FOLDER), owner },
  ];
}

const OTHERS_WRITE = 0o022;
/** Above, many systems let the account's own group write. */
const ANYBODY_WRITES = 0o002;
/** An exception is some hundred bytes, and as many as the files that it is bound to. */
const MAX_BYTES = 1 << 17;
const MAX_FILES = 256;

/** Why what is there does not count; undefined if it does. */
function findFlaw(found: Stats, owner: number): string | undefined {
  if (found.isSymbolicLink()) return "it is a link";
  if (found.uid !== owner) return `it belongs to another account (${found.uid})`;
  if ((found.mode & OTHERS_WRITE) !== 0) return "other accounts may write to it";
  return undefined;
}

/** Why the folder of a place does not count; undefined if it does, or is not there. */
export function findPlaceFlaw({ folder, owner }: ExceptionPlace): string | undefined {
  try {
    const found = orAbsent(() => lstatSync(folder));
    if (!found) return undefined;
    const flaw = findFlaw(found, owner) ?? (found.isDirectory() ? undefined : "it is not a folder");
    return flaw ?? findParentFlaw(folder);
  } catch (error) {
    return `it can't be read (${(error as NodeJS.ErrnoException).code}): run it as the account that owns it, outside of containers and sandboxes`;
  }
}

/** Whoever may write to a folder above can put another one there. Links above are the account's own affair. */
function findParentFlaw(folder: string): string | undefined {
  const above = [dirname(folder), dirname(dirname(folder))];
  const open = above.find((path) => (statSync(path).mode & ANYBODY_WRITES) !== 0);
  return open === undefined ? undefined : `any account may write to ${open}`;
}

/** A file of a place: its text, or why it does not count. */
export type PlaceFile = { path: string; text: string } | { path: string; flaw: string };

/** Reads a file that only its owner can have written. */
export function readPlaceFile(path: string, owner: number): PlaceFile {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { path, flaw: code === "ELOOP" ? "it is a link" : `it can't be read (${code})` };
  }
  try {
    const found = fstatSync(fd);
    const flaw =
      findFlaw(found, owner) ??
      (found.isFile() && found.nlink === 1 ? undefined : "it is not a file with one name") ??
      (found.size > MAX_BYTES ? "it is too large" : undefined);
    return flaw === undefined ? { path, text: readFileSync(fd, "utf8") } : { path, flaw };
  } finally {
    closeSync(fd);
  }
}

/** The files of a place; of a folder that does not count, only that. */
export function readPlace(place: ExceptionPlace): PlaceFile[] {
  try {
    const flaw = findPlaceFlaw(place);
    if (flaw !== undefined) return [{ path: place.folder, flaw }];
    const names = readdirSync(place.folder).filter((name) => /^[a-z0-9]+\.json$/.test(name));
    return names.slice(0, MAX_FILES).map((name) => readPlaceFile(join(place.folder, name), place.owner));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return isAbsentError(error) ? [] : [{ path: place.folder, flaw: `it can't be read (${code})` }];
  }
}
