import * as v from "valibot";
import type { ConfigProblem } from "../../../protocol/host/install.ts";
import { isValidMatcher, findJsonProblems, findSchemaProblems } from "../../setup/json-problems.ts";
import { capabilities } from "../capabilities.ts";
import { isSettingsFile } from "../install/setup.ts";
import { isObject } from "../../../protocol/object.ts";

/** For one of these, Copilot drops the whole file [seen 1.0.102, 2026-11-22]. */
const STRICT = { comments: false, trailingComma: false, bom: false };
/** The user's settings are parsed leniently, a project's are not [seen 1.0.102, 2026-11-22]. */
const LENIENT = { comments: true, trailingComma: true, bom: true };

const DROPS = "Copilot silently drops the whole file because of it";
/**
 * One invalid hook disables all hooks of a settings file, but only itself in a hook file [seen 1.0.102, 2026-11-22].
 */
const DROPS_HOOKS = "Copilot silently drops all hooks of the file because of it";
const DROPS_ENTRY = "Copilot silently drops this entry";

const seconds = () => v.optional(v.pipe(v.number("must be a number of seconds"), v.gtValue(0, "must be above 0")));
/** In Claude Code's groups "*" matches every call; in a list it is not a valid pattern [seen 1.0.102, 2026-11-22]. */
const matcher = (star: boolean) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => text !== "" && (star || text !== "*") && isValidMatcher(text),
        "not a valid pattern; name tools, or take it out",
      ),
    ),
  );
const line = () => v.optional(v.string());
const Handler = v.pipe(
  v.looseObject({
    type: v.optional(v.picklist(["command", "http", "prompt"], "must be command, http or prompt")),
    command: line(),
    bash: line(),
    powershell: line(),
    timeout: seconds(),
    timeoutSec: seconds(),
    matcher: matcher(false),
  }),
  v.check(({ type = "command", command, bash, powershell, url, prompt }) => {
    const has = { command: command ?? bash ?? powershell, http: url, prompt }[type];
    return has !== undefined;
  }, "a command is missing"),
);
const Group = v.looseObject({ matcher: matcher(true), hooks: v.array(Handler) });
/** Claude Code's groups are accepted too. */
const Element = v.lazy((element) => (isObject(element) && "hooks" in element ? Group : Handler));

const events = (element: v.GenericSchema) =>
  v.optional(
    v.looseObject(
      Object.fromEntries(
        Object.keys(capabilities).map((event) => [event, v.optional(v.array(element, "must be a list"))]),
      ),
    ),
  );
const version = v.optional(v.literal(1, "must be 1"));
const disableAllHooks = v.optional(v.boolean("must be true or false"));

/** What keeps the whole file from being read; unknown events are skipped. */
const File = v.looseObject({ version, disableAllHooks, hooks: events(v.any()) });
const Entries = v.looseObject({ hooks: events(Element) });
const Settings = v.looseObject({ hooks: events(Element) });

/** The user's settings are in the directory of the user's hooks; a project's are in `.github/copilot`. */
const isProjectSettings = (file: string) => /[\\/]\.github[\\/]copilot[\\/][^\\/]+$/.test(file);

/** Returns the reasons why Copilot would not obey a file as it stands. */
export function findConfigProblems(text: string, file: string): ConfigProblem[] {
  if (isSettingsFile(file))
    return (
      findJsonProblems(text, isProjectSettings(file) ? STRICT : LENIENT, DROPS_HOOKS) ??
      findSchemaProblems(text, Settings, DROPS_HOOKS)
    );
  const whole = findJsonProblems(text, STRICT, DROPS) ?? findSchemaProblems(text, File, DROPS);
  return whole.length > 0 ? whole : findSchemaProblems(text, Entries, DROPS_ENTRY);
}
