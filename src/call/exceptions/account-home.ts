import { ffi, openLibrary } from "../../system/c-library.ts";

/** Offset of `pw_dir` in `struct passwd`, in bytes. */
const HOME_OFFSETS: Partial<Record<NodeJS.Platform, number>> = { linux: 32, darwin: 48 };
/** The longest path that any system accepts. */
const MAX_PATH_LENGTH = 4096;

let substituteHome: string | undefined;

/** Overrides the home directory in a trial, so that the trial doesn't read or create exceptions. */
export const setOwnHome = (home: string): void => void (substituteHome = home);

/**
 * Returns the home directory of this process's account from the user database, regardless of environment variables.
 * Returns undefined if the database isn't available (as on Windows) or the engine may not generate code.
 */
export function findOwnHome(uid: number | undefined = process.geteuid?.()): string | undefined {
  if (substituteHome !== undefined) return substituteHome;
  const offset = HOME_OFFSETS[process.platform];
  if (offset === undefined || uid === undefined) return undefined;
  const entry = openLibrary({ getpwuid: { args: ["u32"], returns: "ptr" } } as const)?.getpwuid(uid);
  if (!entry) return undefined;
  const text = ffi.read.ptr(entry, offset);
  const bytes: number[] = [];
  while (text && bytes.length < MAX_PATH_LENGTH) {
    const byte = ffi.read.u8(text as never, bytes.length);
    if (byte === 0) break;
    bytes.push(byte);
  }
  const home = new TextDecoder().decode(new Uint8Array(bytes));
  return home.startsWith("/") && home !== "/" ? home : undefined;
}
