import type { AnyEvent } from "./event.ts";

/**
 * What `doctor` names in the place of a command, a file or a prompt. A call about it is denied before any hook runs: that
 * shows that a denial gets from here to the host. It can't let anything pass.
 */
export const PROBE = "bridge-hooks doctor: deny this";

export function isProbe(event: AnyEvent): boolean {
  switch (event.event) {
    case "PreToolUse":
    case "PermissionRequest":
      return [event.input, event.tool === "MCP" ? event.input.arguments : {}].some((fields) =>
        Object.values(fields).includes(PROBE),
      );
    case "UserPromptSubmit":
      return event.prompt === PROBE;
    default:
      return false;
  }
}
