import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import {
  type ExceptionDirectory,
  findDirectoryProblem,
  listExceptionDirectories,
  readExceptionFile,
} from "./exception-directories.ts";
import type { LoadedException } from "./record.ts";

// To use an exception for one call, a process creates a file, which only one process can do. A host may report one call
// with several events and start several processes for each event. If the host gives calls an ID, the ID identifies the
// call. Otherwise, each later event creates another file, and processes that get identical payloads are taken to answer
// the same event.

/** An event that uses an exception. */
export interface ClaimingEvent {
  host: string;
  /** The session ID, or the working directory if the session has no ID. */
  session: string;
  /** The `act` hash of the call's binding. */
  act: string;
  /** The host's ID for the call (`tool_use_id`). */
  call?: string | undefined;
  payload?: string | undefined;
  /**
   * Position of this event within its call: 0 before the call, 1 if it reports the call again, 2 for a permission
   * request.
   */
  rank: number;
  /**
   * The ID of the host named by the entry, if a different host sent the event. In that case, two entries answer the
   * same event.
   */
  alias?: string | undefined;
}

/** How long a call may continue after its first event, in milliseconds. */
const CALL_MS = 30 * 60_000;
/**
 * Maximum time between entries that answer the same event, in milliseconds, if only the payload identifies the event.
 */
const SAME_EVENT_MS = 2_000;
/** How long a process waits for another process to fill in a newly created file, in milliseconds. */
const WRITE_MS = 200;
const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Returns the directory for claim files. Always the user's own, since users can't write to the managed directory. */
function findClaimDirectory(): ExceptionDirectory | undefined {
  const directory = listExceptionDirectories().find(({ scope }) => scope === "user");
  return directory && { ...directory, folder: join(directory.folder, "used") };
}

const formatSlot = ({ rank, alias }: ClaimingEvent) => `${rank}${alias === undefined ? "" : `-${alias}`}`;

/** Claims the single use of an exception. All events and entries for the same call share the claim. */
export function claimException({ id }: LoadedException, event: ClaimingEvent, now = Date.now()): boolean {
  const directory = findClaimDirectory();
  if (!directory) return false;
  const { folder, owner } = directory;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (findDirectoryProblem({ ...directory, folder: dirname(folder) }) ?? findDirectoryProblem(directory)) return false;
  const claimText = JSON.stringify({ ...event, slot: formatSlot(event), time: now });
  const first = join(folder, id);
  if (createFile(first, claimText)) return true;
  const claim = readClaim(first, owner);
  if (!claim || claim.host !== event.host || claim.session !== event.session || claim.act !== event.act) return false;
  if (Math.abs(now - claim.time) > CALL_MS) return false;
  if (claim.call !== undefined && event.call !== undefined) return claim.call === event.call;
  if (claim.slot === formatSlot(event)) return isSameEvent(claim, event, now);
  if (event.rank < claim.rank) return false;
  const laterClaims = readdirSync(folder).filter((name) => name.startsWith(`${id}.`));
  if (laterClaims.some((name) => Number.parseInt(name.slice(id.length + 1), 10) > event.rank)) return false;
  const slotFile = join(folder, `${id}.${formatSlot(event)}`);
  if (createFile(slotFile, claimText)) return true;
  const existingClaim = readClaim(slotFile, owner);
  return existingClaim !== undefined && isSameEvent(existingClaim, event, now);
}

type Claim = ClaimingEvent & { slot: string; time: number };

/** Returns whether two entries answer the same event, going by call ID, payload and time. */
const isSameEvent = (claim: Claim, { call, payload }: ClaimingEvent, now: number): boolean =>
  claim.call === call &&
  payload !== undefined &&
  claim.payload === payload &&
  Math.abs(now - claim.time) <= SAME_EVENT_MS;

function createFile(path: string, text: string): boolean {
  try {
    const fd = openSync(path, CREATE_FLAGS, 0o600);
    writeSync(fd, text);
    closeSync(fd);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Reads a claim file. Waits if another process has created the file but hasn't written to it yet. */
function readClaim(path: string, owner: number): Claim | undefined {
  for (const end = performance.now() + WRITE_MS; ; Bun.sleepSync(2)) {
    const file = readExceptionFile(path, owner);
    if (!("text" in file)) return undefined;
    try {
      return JSON.parse(file.text);
    } catch {
      if (performance.now() > end) return undefined;
    }
  }
}

/**
 * Returns when the single use of an exception was claimed, as Unix time in milliseconds. Returns undefined if it is
 * unclaimed.
 */
export function findClaimTime(id: string): number | undefined {
  const directory = findClaimDirectory();
  return directory && orAbsent(() => lstatSync(join(directory.folder, id)))?.mtimeMs;
}

/** Lists the claim files, such as `id` and `id.1`, each with the ID of its exception. */
export function listClaims(): { id: string; path: string }[] {
  const directory = findClaimDirectory();
  if (!directory || !orAbsent(() => lstatSync(dirname(directory.folder)))) return [];
  try {
    return readdirSync(directory.folder).map((name) => ({
      id: name.replace(/\..*/, ""),
      path: join(directory.folder, name),
    }));
  } catch {
    return [];
  }
}
