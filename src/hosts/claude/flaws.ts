import { findNodeAtLocation, getNodeValue, type Node } from "jsonc-parser";
import type { Payload } from "../../core/host.ts";
import type { Flaw } from "../../core/setup.ts";
import { objectOf } from "../check.ts";
import { type Allows, jsonFlaws, jsonTree } from "../json.ts";

/** What its settings may have beyond JSON: with one of the others it reads nothing of the file, silently [seen 2.1.197 and 2.1.330, 2026-11-22]. */
const ALLOWS: Allows = { comments: false, trailingComma: false, bom: true };
const TYPES = ["command", "http", "mcp_tool", "prompt", "agent"];

/** What takes the good entries of an event away as well; before 2.1.330 those of every event [seen 2.1.197 and 2.1.330, 2026-11-22]. */
function handlerFlaw({ type, timeout, onFailure }: Payload): string | undefined {
  const drops = "Claude Code drops the entries beside it too, silently";
  if (!TYPES.includes(String(type))) return `a handler's "type" has to be one of ${TYPES.join(", ")}; ${drops}`;
  if (timeout !== undefined && typeof timeout !== "number") return `"timeout" has to be a number of seconds; ${drops}`;
  if (onFailure !== undefined && onFailure !== "block" && onFailure !== "continue")
    return `"onFailure" has to be "block" or "continue"; ${drops}`;
  return undefined;
}

/** What is wrong inside the `hooks` object, with the place. */
function contentFlaws(root: Node, document: Payload): Flaw[] {
  return Object.entries(objectOf(document.hooks)).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group, at) => {
      const { hooks: handlers } = objectOf(group);
      return (Array.isArray(handlers) ? handlers : []).flatMap((handler, index) => {
        const message = handlerFlaw(objectOf(handler));
        return message ? [{ offset: findNodeAtLocation(root, ["hooks", event, at, "hooks", index])?.offset, message }] : [];
      });
    }),
  );
}

/** Why Claude Code would not obey a settings file as it stands. */
export function flaws(text: string): Flaw[] {
  const found = jsonFlaws(text, ALLOWS).map((flaw) => ({
    ...flaw,
    message: `${flaw.message}; Claude Code reads nothing of the file, silently`,
  }));
  const root = jsonTree(text);
  return found.length > 0 || !root ? found : contentFlaws(root, objectOf(getNodeValue(root)));
}
