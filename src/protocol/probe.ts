import type { AnyEvent } from "./event.ts";

/**
 * The command, file or prompt that `doctor` uses for its probes. Calls with it are denied before any hook runs, which
 * shows that a denial reaches the host. It can't let anything pass.
 */
export const PROBE = "bridge-hooks doctor: deny this";

/** The input of `doctor` that is not a payload: the call fails as it would with any other, and nothing is logged of it. */
export const INVALID_PROBE = "bridge-hooks doctor: not a payload";

export function isProbe(event: AnyEvent): boolean {
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
