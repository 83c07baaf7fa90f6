import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import { type ExceptionPlace, findPlaceFlaw, listPlaces, readPlaceFile } from "./place.ts";
import type { LoadedException } from "./record.ts";

// An exception for one call is used up by a file that only one process can create. A host may report one call with
// several events, each in a process of its own: those that follow create a file each, and only for the call that was first.

/** The event of a call that wants to pass. */
export interface ClaimingEvent {
  host: string;
  /** The session, or the folder. */
  session: string;
  /** `act` of the call's binding. */
  act: string;
  /** The place of this event among those of one call: 0 before the call, 1 at an event that repeats it, 2 at a permission. */
  rank: number;
  /** The host was named as another one: two entries answer the same event. */
  alias?: string | undefined;
}

/** How long after its first event a call may go on. */
const CALL_MS = 30 * 60_000;
const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Where marks of use are: in the user's place, since a managed one can't be written to. */
function findClaimPlace(): ExceptionPlace | undefined {
  const place = listPlaces().find(({ scope }) => scope === "user");
  return place && { ...place, folder: join(place.folder, "used") };
}

const getSlot = ({ rank, alias }: ClaimingEvent) => `${rank}${alias === undefined ? "" : `-${alias}`}`;

/** Takes the one use of an exception, or goes on with it at a later event of the same call. */
export function claimException({ id }: LoadedException, event: ClaimingEvent, now = Date.now()): boolean {
  const place = findClaimPlace();
  if (!place) return false;
  const { folder, owner } = place;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (findPlaceFlaw({ ...place, folder: dirname(folder) }) ?? findPlaceFlaw(place)) return false;
  const first = join(folder, id);
  if (createFile(first, JSON.stringify({ ...event, slot: getSlot(event), time: now }))) return true;
  const file = readPlaceFile(first, owner);
  const claim = "text" in file ? parseClaim(file.text) : undefined;
  if (!claim || claim.host !== event.host || claim.session !== event.session || claim.act !== event.act) return false;
  if (event.rank < claim.rank || claim.slot === getSlot(event) || Math.abs(now - claim.time) > CALL_MS) return false;
  const higher = readdirSync(folder).filter((name) => name.startsWith(`${id}.`));
  if (higher.some((name) => Number.parseInt(name.slice(id.length + 1), 10) > event.rank)) return false;
  return createFile(join(folder, `${id}.${getSlot(event)}`), "");
}

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

function parseClaim(text: string): (ClaimingEvent & { slot: string; time: number }) | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // Its process has not written it yet.
    return undefined;
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
