import * as v from "valibot";
import type { ConfigProblem } from "../../../protocol/host/install.ts";
import { isValidMatcher, findJsonProblems, findSchemaProblems } from "../../setup/json-problems.ts";

/**
 * With one of these, or a value that does not fit, Claude Code ignores the whole file
 * [seen 2.1.197 and 2.1.330, 2026-11-22].
 */
const ALLOWS = { comments: false, trailingComma: false, bom: true };
const DROPS = "Claude Code silently ignores the whole file";

const text = () => v.optional(v.string());
const types = v.picklist(
  ["command", "http", "mcp_tool", "prompt", "agent"],
  "must be command, http, mcp_tool, prompt or agent",
);
const Handler = v.pipe(
  v.looseObject({
    type: types,
    command: text(),
    timeout: v.optional(v.number("must be a number of seconds")),
    onFailure: v.optional(v.picklist(["block", "continue"], 'must be "block" or "continue"')),
    if: text(),
    statusMessage: text(),
  }),
  v.check(({ type, command }) => type !== "command" || command !== undefined, "a command is missing"),
);
/**
 * A matcher that is not a valid pattern disables only its own group, silently [seen 2.1.197 and 2.1.330, 2026-11-22].
 */
const Group = v.looseObject({
  matcher: v.optional(v.pipe(v.string(), v.check(isValidMatcher, "not a valid pattern"))),
  hooks: v.array(Handler),
});
/** An event's value that is not a list is skipped; an invalid list element is not. */
const Event = v.union([v.array(Group), v.custom<unknown>((value) => !Array.isArray(value))]);

/** The keys for which wrong values were tested. */
const Settings = v.looseObject({
  env: v.optional(v.looseObject({})),
  permissions: v.optional(v.looseObject({ allow: v.optional(v.array(v.unknown())) })),
  model: text(),
  cleanupPeriodDays: v.optional(v.number()),
  statusLine: v.optional(v.looseObject({})),
  disableAllHooks: v.optional(v.boolean()),
  hooks: v.optional(v.record(v.string(), Event)),
});

/** Returns the reasons why Claude Code would not obey a settings file as it stands. */
export const findConfigProblems = (source: string): ConfigProblem[] =>
  findJsonProblems(source, ALLOWS, DROPS) ?? findSchemaProblems(source, Settings, DROPS);
