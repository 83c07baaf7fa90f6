import * as v from "valibot";
import type { Flaw } from "../../../protocol/host/install.ts";
import { isPattern, jsonFlaws, schemaFlaws } from "../../json.ts";
import { capabilities } from "../capabilities.ts";

/** For one of these, or a value that does not fit, it drops the whole file [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22]. */
const ALLOWS = { comments: true, trailingComma: false, bom: false };
const DROPS = "Cursor drops the whole file for it, silently";

const Entry = v.pipe(
  v.looseObject({
    command: v.optional(v.string()),
    type: v.optional(v.string()),
    timeout: v.optional(v.pipe(v.number("this has to be a number of seconds"), v.gtValue(0, "this has to be above 0"))),
    matcher: v.optional(v.pipe(v.string(), v.check(isPattern, "this is no pattern"))),
    failClosed: v.optional(v.boolean()),
  }),
  v.check(({ type, command }) => type === "prompt" || command !== undefined, "a command is missing"),
);
const known = v.check(
  (event: string) => Object.hasOwn(capabilities, event),
  "this is no event that a release is known to have",
);
const Hooks = v.looseObject(
  {
    version: v.pipe(v.number(), v.integer(), v.minValue(1)),
    hooks: v.optional(v.record(v.pipe(v.string(), known), v.array(Entry))),
  },
  '"version": 1 is missing',
);

/** Why Cursor would not obey a hooks.json as it stands. */
export const flaws = (text: string): Flaw[] => jsonFlaws(text, ALLOWS, DROPS) ?? schemaFlaws(text, Hooks, DROPS);
