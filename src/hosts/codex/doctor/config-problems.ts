import * as v from "valibot";
import type { ConfigProblem } from "../../../protocol/host/install.ts";
import { isValidMatcher, findJsonProblems, findSchemaProblems } from "../../setup/json-problems.ts";
import { findTomlProblems } from "../../setup/toml-problems.ts";
import { capabilities } from "../capabilities.ts";

/**
 * For one of these, or a value that does not fit, Codex drops the whole file
 * [seen 0.169.0, 2026-11-22, in hooks/list and runs].
 */
const ALLOWS = { comments: false, trailingComma: false, bom: false };
const DROPS = "Codex drops the whole file because of it";

const types = v.picklist(["command", "mcp_tool", "prompt", "agent"], "must be command, mcp_tool, prompt or agent");
const Handler = v.pipe(
  v.looseObject({
    type: types,
    command: v.optional(v.string()),
    timeout: v.nullish(v.pipe(v.number(), v.integer("must be a whole number of seconds"), v.minValue(0))),
  }),
  v.check(({ type, command }) => type !== "command" || command !== undefined, "a command is missing"),
);
/** Rust's regular expressions have no look-around; a group that uses it is skipped. */
const pattern = v.check(
  (text: string) => isValidMatcher(text) && !/\(\?<?[=!]/.test(text),
  "not a pattern that Codex accepts (no look-around)",
);
const Group = v.looseObject({ matcher: v.nullish(v.pipe(v.string(), pattern)), hooks: v.optional(v.array(Handler)) });
/** Unknown events are skipped, whatever they contain. */
const Events = v.looseObject(
  Object.fromEntries(Object.keys(capabilities).map((event) => [event, v.optional(v.array(Group))])),
);
const Hooks = v.strictObject({ description: v.optional(v.string()), hooks: v.optional(Events) }, "unknown key");
/** config.toml and requirements.toml contain other settings too. */
const Config = v.looseObject({ hooks: v.optional(Events) });

/** Returns the reasons why Codex would not obey a file as it stands. */
export const findConfigProblems = (text: string, file: string): ConfigProblem[] =>
  file.endsWith(".toml")
    ? findTomlProblems(text, Config, DROPS)
    : (findJsonProblems(text, ALLOWS, DROPS) ?? findSchemaProblems(text, Hooks, DROPS));
