import type { AnyEvent } from "./event.ts";
import type { Payload } from "./host/payload.ts";

/**
 * The command, file or prompt that `doctor` uses for its probes. Calls with it are denied before any hook runs, which
 * shows that a denial reaches the host. It can't let anything pass.
 */
export const PROBE = "bridge-hooks doctor: deny this";

/** The session of its payloads. */
export const PROBE_SESSION = "bridge-hooks-doctor";

/** The input of `doctor` that is not a payload: the call fails as it would with any other. */
export const INVALID_PROBE = "bridge-hooks doctor: not a payload";

/** Hosts and our own launchers may end the input with a line break. */
export const isInvalidProbe = (given: unknown): boolean => typeof given === "string" && given.trim() === INVALID_PROBE;

/** A field beside the host's own ones: `doctor` made the call, and hooks judge it as any other. */
const MARK = "bridge_hooks_probe";

/** Marks a payload as made by `doctor`. Only who writes the whole payload can do so: an agent chooses its tools' inputs. */
export const markProbe = (payload: Payload): Payload => ({ ...payload, [MARK]: true });

export const hasProbeMark = (payload: Payload | undefined): boolean => payload?.[MARK] === true;

/** Whether `doctor` made the call: nothing of it is logged or kept. */
export const isProbe = (event: AnyEvent): boolean => hasProbeMark(event._native) || isDeniedProbe(event);

/** Whether the call is the one that is denied before any hook runs. */
export function isDeniedProbe(event: AnyEvent): boolean {
  switch (event.event) {
    case "PreToolUse":
    case "PermissionRequest":
      return hasProbe(event.input) || (event.tool === "MCP" && hasProbe(event.input.arguments));
    case "UserPromptSubmit":
      return event.prompt === PROBE;
    default:
      return false;
  }
}

const hasProbe = (fields: object) => Object.values(fields).includes(PROBE);
