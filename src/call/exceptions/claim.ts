import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import { type ExceptionPlace, findPlaceFlaw, listPlaces, readPlaceFile } from "./place.ts";
import type { LoadedException } from "./record.ts";

// An exception for one call is used up by a file that only one process can create. A host may report one call with
// several events and start several entries for each, all in their own processes. Where the host numbers its calls, the
// number decides. Elsewhere each later event creates one more file, and entries of one event have the same payload.

/** The event of a call that wants to pass. */
export interface ClaimingEvent {
  host: string;
  /** The session, or the folder. */
  session: string;
  /** `act` of the call's binding. */
  act: string;
  /** The host's id of the call (`tool_use_id`). */
  call?: string | undefined;
  /** The hash of the payload. */
  payload?: string | undefined;
  /** The place of this event among those of one call: 0 before the call, 1 at an event that repeats it, 2 at a permission. */
  rank: number;
  /** The host was named as another one: two entries answer the same event. */
  alias?: string | undefined;
}

/** How long after its first event a call may go on. */
const CALL_MS = 30 * 60_000;
/** How far apart the entries of one event start, where only the payload shows that it is the same event. */
const SAME_EVENT_MS = 2_000;
/** How long a process waits for another one to write the file that it created. */
const WRITE_MS = 200;
const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Where marks of use are: in the user's place, since a managed one can't be written to. */
function findClaimPlace(): ExceptionPlace | undefined {
  const place = listPlaces().find(({ scope }) => scope === "user");
  return place && { ...place, folder: join(place.folder, "used") };
}

const getSlot = ({ rank, alias }: ClaimingEvent) => `${rank}${alias === undefined ? "" : `-${alias}`}`;

/** Takes the one use of an exception, or shares it as another event or entry of the same call. */
export function claimException({ id }: LoadedException, event: ClaimingEvent, now = Date.now()): boolean {
  const place = findClaimPlace();
  if (!place) return false;
  const { folder, owner } = place;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (findPlaceFlaw({ ...place, folder: dirname(folder) }) ?? findPlaceFlaw(place)) return false;
  const mark = JSON.stringify({ ...event, slot: getSlot(event), time: now });
  const first = join(folder, id);
  if (createFile(first, mark)) return true;
  const claim = readClaim(first, owner);
  if (!claim || claim.host !== event.host || claim.session !== event.session || claim.act !== event.act) return false;
  if (Math.abs(now - claim.time) > CALL_MS) return false;
  if (claim.call !== undefined && event.call !== undefined) return claim.call === event.call;
  if (claim.slot === getSlot(event)) return isSameEvent(claim, event, now);
  if (event.rank < claim.rank) return false;
  const higher = readdirSync(folder).filter((name) => name.startsWith(`${id}.`));
  if (higher.some((name) => Number.parseInt(name.slice(id.length + 1), 10) > event.rank)) return false;
  const later = join(folder, `${id}.${getSlot(event)}`);
  if (createFile(later, mark)) return true;
  const taken = readClaim(later, owner);
  return taken !== undefined && isSameEvent(taken, event, now);
}

type Claim = ClaimingEvent & { slot: string; time: number };

/** Whether two entries answer one event of a call that has no id. */
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

/** Reads a mark of use, and waits for a process that has created it and not written it yet. */
function readClaim(path: string, owner: number): Claim | undefined {
  for (const end = performance.now() + WRITE_MS; ; Bun.sleepSync(2)) {
    const file = readPlaceFile(path, owner);
    if (!("text" in file)) return undefined;
    try {
      return JSON.parse(file.text);
    } catch {
      if (performance.now() > end) return undefined;
    }
  }
}

/** Whether the one use of an exception is taken, and since when. */
export function findClaimTime(id: string): number | undefined {
  const place = findClaimPlace();
  return place && orAbsent(() => lstatSync(join(place.folder, id)))?.mtimeMs;
}

/** The marks of use, by exception: `id`, `id.1`. */
export function listClaims(): { id: string; path: string }[] {
  const place = findClaimPlace();
  if (!place || !orAbsent(() => lstatSync(dirname(place.folder)))) return [];
  try {
    return readdirSync(place.folder).map((name) => ({ id: name.replace(/\..*/, ""), path: join(place.folder, name) }));
  } catch {
    return [];
  }
}
