import type { AnyEvent } from "./event.ts";
import type { Payload } from "./host/payload.ts";

/**
 * The command, file path or prompt that `doctor` sends as a probe. A call that contains it is denied before any hook
 * runs, which shows that a denial reaches the host. It can never let a call pass.
 */
export const PROBE = "bridge-hooks doctor: deny this";

/** Session id of the probe's payloads. */
export const PROBE_SESSION = "bridge-hooks-doctor";

/** Input that `doctor` sends although it isn't a payload. The call fails as it would with any other invalid input. */
export const INVALID_PROBE = "bridge-hooks doctor: not a payload";

/** Returns whether the input is the invalid probe, ignoring the line break that hosts and launchers may append. */
export const isInvalidProbe = (given: unknown): boolean => typeof given === "string" && given.trim() === INVALID_PROBE;

/** An extra payload field that marks a call from `doctor`. Hooks judge the call as any other. */
const MARK = "bridge_hooks_probe";

/**
 * Marks a payload as created by `doctor`. An agent can't set the mark, because it controls only the input of its tools,
 * not the payload.
 */
export const markProbe = (payload: Payload): Payload => ({ ...payload, [MARK]: true });

export const hasProbeMark = (payload: Payload | undefined): boolean => payload?.[MARK] === true;

/** Returns whether `doctor` created the call. Nothing about it is logged or stored. */
export const isProbe = (event: AnyEvent): boolean => hasProbeMark(event._native) || isDeniedProbe(event);

/** Returns whether the call is the probe that is denied before any hook runs. */
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
