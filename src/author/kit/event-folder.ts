import type { AnyEvent } from "../../protocol/event.ts";
import { isAbsolute, resolve } from "../../system/paths.ts";
import { getShellHome, toNativePath } from "./expand-word.ts";

/** An event, reduced to the fields that determine its directory. */
type EventLocation = Pick<AnyEvent, "cwd"> & { tool?: unknown; input?: unknown };

/** Returns the base directory of an event's paths. A shell call can have its own directory. */
export function getEventFolder({ cwd: given, tool, input }: EventLocation): string {
  const cwd = isAbsolute(given) ? toNativePath(given) : process.cwd();
  const { cwd: ownFolder } = (input ?? {}) as { cwd?: unknown };
  return tool === "Bash" && typeof ownFolder === "string"
    ? resolve(cwd, toNativePath(ownFolder.replace(/^~(?=\/|$)/, getShellHome)))
    : cwd;
}
