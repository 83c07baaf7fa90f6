import * as v from "valibot";
import type { ConfigProblem } from "../../../protocol/host/install.ts";
import { findJsonProblems, findSchemaProblems } from "../../setup/json-problems.ts";
import { isObject } from "../../../protocol/object.ts";

/** With one of these in any of its files, Gemini CLI does not start [seen 0.61.0, 2026-11-22]. */
const ALLOWS = { comments: true, trailingComma: false, bom: false };
const DROPS = "Gemini CLI does not start with it";
/**
 * A matcher that is not a string breaks all hooks of its event, including those of other files: calls pass
 * [seen 0.61.0, 2026-11-22].
 */
const BREAKS = "Gemini CLI runs no hook of this event, from no file, because of it";
/** Gemini CLI skips other problems in hooks, with or without a warning [seen 0.61.0, 2026-11-22]. */
const SKIPS = "Gemini CLI leaves it out";

const Handler = v.pipe(
  v.looseObject({
    type: v.picklist(["command", "plugin", "runtime"], "must be command"),
    command: v.optional(v.string()),
  }),
  v.check(({ type, command }) => type !== "command" || Boolean(command), "a command is missing"),
);
const Group = v.looseObject({ hooks: v.array(Handler) });
const Hooks = v.looseObject({
  hooks: v.optional(v.pipe(v.custom<object>(isObject, "must be an object"), v.record(v.string(), v.array(Group)))),
});

const createInvertedSchema = (fits: (value: unknown) => boolean) => v.custom<unknown>((value) => !fits(value));
const Matched = v.union([
  v.looseObject({ matcher: v.nullish(v.string("must be a string")) }),
  createInvertedSchema(isObject),
]);
const Matchers = v.looseObject({
  hooks: v.optional(
    v.union([
      v.record(v.string(), v.union([v.array(Matched), createInvertedSchema(Array.isArray)])),
      createInvertedSchema(isObject),
    ]),
  ),
});

/** Returns the reasons why Gemini CLI would not obey a settings.json as it stands. */
export function findConfigProblems(text: string): ConfigProblem[] {
  return (
    findJsonProblems(text, ALLOWS, DROPS) ?? [
      ...findSchemaProblems(text, Matchers, BREAKS),
      ...findSchemaProblems(text, Hooks, SKIPS),
    ]
  );
}
