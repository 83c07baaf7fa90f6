import type { AnyEvent } from "./event.ts";
import type { Payload } from "./host/payload.ts";

/**
 * The command, file path or prompt that `doctor` sends as a probe. A call that contains it is denied before any hook
 * runs, which shows whether denials reach the host. The probe can never allow a call.
 */
export const PROBE = "bridge-hooks doctor: deny this";

/** Session id of the probe's payloads. */
export const PROBE_SESSION = "bridge-hooks-doctor";

/** Input from `doctor` that isn't a payload. The call fails as it would with any other invalid input. */
export const INVALID_PROBE = "bridge-hooks doctor: not a payload";

/** Returns whether the input is the invalid probe, ignoring a line break that a host or launcher might append. */
export const isInvalidProbe = (input: unknown): boolean => typeof input === "string" && input.trim() === INVALID_PROBE;

/** An extra payload field that marks a call from `doctor`. Hooks judge the call like any other. */
const PROBE_FIELD = "bridge_hooks_probe";

/**
 * Marks a payload as created by `doctor`. An agent can't set this marker, because it controls only the input of its
 * tools, not the payload.
 */
export const markProbe = (payload: Payload): Payload => ({ ...payload, [PROBE_FIELD]: true });

export const hasProbeMarker = (payload: Payload | undefined): boolean => payload?.[PROBE_FIELD] === true;

/** Returns whether `doctor` created the call. Calls from `doctor` are neither logged nor stored. */
export const isProbe = (event: AnyEvent): boolean => hasProbeMarker(event._native) || isDeniedProbe(event);

/** Returns whether the call contains the probe, and is therefore denied before any hook runs. */
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
