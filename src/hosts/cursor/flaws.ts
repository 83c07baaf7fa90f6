import { findNodeAtLocation } from "jsonc-parser";
import type { Payload } from "../../core/host.ts";
import type { Flaw } from "../../core/setup.ts";
import { objectOf } from "../check.ts";
import { type Allows, isPattern, jsonFlaws, jsonTree } from "../json.ts";
import { capabilities } from "./capabilities.ts";

/** What hooks.json may have beyond JSON [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const ALLOWS: Allows = { comments: true, trailingComma: false, bom: false };
const DROPS = "Cursor drops the whole file for it, silently";

/** What Cursor drops a whole file for [seen @cursor/sdk 1.0.32, 2026-11-21]. */
export function flaws(text: string): Flaw[] {
  const found = jsonFlaws(text, ALLOWS).map((flaw) => ({ ...flaw, message: `${flaw.message}; ${DROPS}` }));
  const root = jsonTree(text);
  if (found.length > 0 || !root) return found;
  const at = (...path: (string | number)[]) => findNodeAtLocation(root, path)?.offset;
  const document = objectOf(Bun.JSONC.parse(text));
  return [
    ...(document.version === undefined ? [{ offset: 0, message: `"version" is missing (add "version": 1); ${DROPS}` }] : []),
    ...Object.entries(objectOf(document.hooks)).flatMap(([event, entries]): Flaw[] => [
      ...(Object.hasOwn(capabilities, event)
        ? []
        : [{ offset: at("hooks", event), message: `${JSON.stringify(event)} is no event that this release is known to have; ${DROPS}` }]),
      ...(Array.isArray(entries) ? entries : []).flatMap((entry, index) =>
        entryFlaws(objectOf(entry)).map(([key, message]) => ({ offset: at("hooks", event, index, key), message })),
      ),
    ]),
  ];
}

function entryFlaws({ timeout, matcher }: Payload): [key: string, message: string][] {
  const time = timeout === undefined || (typeof timeout === "number" && timeout > 0);
  const pattern = matcher === undefined || (typeof matcher === "string" && isPattern(matcher));
  return [
    ...(time ? [] : [["timeout", `"timeout" has to be a number of seconds above 0; ${DROPS}`] as [string, string]]),
    ...(pattern ? [] : [["matcher", `matcher ${JSON.stringify(matcher)} is no pattern; ${DROPS}`] as [string, string]]),
  ];
}
