import * as v from "valibot";
import type { ConfigProblem } from "../../../protocol/host/install.ts";
import { isValidMatcher, findJsonProblems, findSchemaProblems } from "../../setup/json-problems.ts";
import { capabilities } from "../capabilities.ts";

/**
 * For one of these, or a value that does not fit, Cursor drops the whole file
 * [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22].
 */
const JSON_EXTENSIONS = { comments: true, trailingComma: false, bom: false };
const CONSEQUENCE = "Cursor silently drops the whole file because of it";

const Entry = v.pipe(
  v.looseObject({
    command: v.optional(v.string()),
    type: v.optional(v.string()),
    timeout: v.optional(v.pipe(v.number("must be a number of seconds"), v.gtValue(0, "must be above 0"))),
    matcher: v.optional(v.pipe(v.string(), v.check(isValidMatcher, "not a valid pattern"))),
    failClosed: v.optional(v.boolean()),
  }),
  v.check(({ type, command }) => type === "prompt" || command !== undefined, "a command is missing"),
);
const known = v.check((event: string) => Object.hasOwn(capabilities, event), "not an event of any known release");
const Hooks = v.looseObject(
  {
    version: v.pipe(v.number(), v.integer(), v.minValue(1)),
    hooks: v.optional(v.record(v.pipe(v.string(), known), v.array(Entry))),
  },
  '"version": 1 is missing',
);

/** Returns the reasons why Cursor would not obey a hooks.json as it stands. */
export const findConfigProblems = (text: string): ConfigProblem[] =>
  findJsonProblems(text, JSON_EXTENSIONS, CONSEQUENCE) ?? findSchemaProblems(text, Hooks, CONSEQUENCE);
