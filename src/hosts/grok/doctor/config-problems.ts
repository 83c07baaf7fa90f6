import * as v from "valibot";
import type { ConfigProblem } from "../../../protocol/host/install.ts";
import { isValidMatcher, findJsonProblems, findSchemaProblems } from "../../setup/json-problems.ts";
import { findTomlProblems } from "../../setup/toml-problems.ts";
import { capabilities } from "../capabilities.ts";

// According to its published sources; none of this was run [unverified].
const ALLOWS = { comments: false, trailingComma: false, bom: false };
const DROPS = "Grok Build drops the whole file because of it, by its documentation";
const DROPS_EVENT = "Grok Build drops this event's entries because of it, by its documentation";
const DROPS_ENTRY = "Grok Build drops this entry because of it, by its documentation";

const optional = (schema: v.GenericSchema) => v.nullish(schema);
/** Rust's regular expressions have no look-around. */
const pattern = v.check(
  (text: string) => text === "" || (isValidMatcher(text) && !/\(\?<?[=!]/.test(text)),
  "not a pattern that Grok Build accepts (no look-around)",
);

/** What a file needs for its hooks to be read at all. */
const Handler = v.looseObject({
  type: v.string("must be command or http"),
  command: optional(v.string()),
  url: optional(v.string()),
  timeout: optional(v.pipe(v.number(), v.integer("must be a whole number of seconds"), v.minValue(0))),
  env: optional(v.record(v.string(), v.string())),
});
const Group = v.looseObject({ matcher: optional(v.string()), hooks: v.array(Handler) });

/** What an entry of such a file needs. */
const Entry = v.pipe(
  v.looseObject({ type: v.picklist(["command", "http"], "must be command or http") }),
  v.check(({ type, command, url }) => (type === "http" ? url : command) !== undefined, "a command is missing"),
);
const Entries = v.looseObject({ matcher: v.nullish(v.pipe(v.string(), pattern)), hooks: v.array(Entry) });

/** Unknown events are skipped, whatever they contain. */
const fileOf = (group: v.GenericSchema) =>
  v.looseObject({
    hooks: v.optional(
      v.looseObject(Object.fromEntries(Object.keys(capabilities).map((event) => [event, v.optional(v.array(group))]))),
    ),
  });
const [Files, Whole] = [fileOf(Group), fileOf(Entries)];

/** Returns the reasons why Grok Build would not obey a file as it stands. */
export function findConfigProblems(text: string, file: string): ConfigProblem[] {
  if (file.endsWith(".toml")) {
    const found = findTomlProblems(text, Files, DROPS_EVENT);
    return found.length > 0 ? found : findTomlProblems(text, Whole, DROPS_ENTRY);
  }
  const found = findJsonProblems(text, ALLOWS, DROPS) ?? findSchemaProblems(text, Files, DROPS);
  return found.length > 0 ? found : findSchemaProblems(text, Whole, DROPS_ENTRY);
}
