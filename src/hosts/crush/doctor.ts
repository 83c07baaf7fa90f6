import { existsSync } from "node:fs";
import { dirname } from "node:path";
import * as v from "valibot";
import type { ConfigProblem, DoctorContext, Finding, HostDoctor } from "../../protocol/host/install.ts";
import { defineDoctor, noteOpenFailures } from "../setup/checks.ts";
import { createNote, formatPaths, listOurEntries } from "../setup/findings.ts";
import { findJsonProblems, findSchemaProblems, isValidMatcher } from "../setup/json-problems.ts";
import { buildHostEnv, findCallRoot } from "../setup/launches.ts";
import { parseJsonObject } from "../../protocol/object.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

// Crush's documentation shows comments and trailing commas in config files, but a copy of its code parses plain JSON
// [unverified].
const ALLOWED_JSON_EXTENSIONS = { comments: true, trailingComma: true, bom: false };
const FILE_CONSEQUENCE = "Crush rejects the whole config, and either doesn't start or runs without hooks";

/** Whether a pattern is a valid Go regular expression. Go supports neither look-around nor back-references. */
const isGoPattern = (text: string): boolean => isValidMatcher(text) && text !== "*" && !/\(\?<?[=!]|\\[1-9]/.test(text);

const Entry = v.pipe(
  v.looseObject({
    command: v.optional(v.string()),
    matcher: v.optional(
      v.pipe(v.string(), v.check(isGoPattern, "not a pattern that Crush accepts (look-around isn't supported)")),
    ),
    timeout: v.optional(
      v.pipe(v.number("must be a number of seconds"), v.integer("must be a whole number of seconds")),
    ),
  }),
  v.check(({ command }) => Boolean(command), "a command is missing"),
);
const File = v.looseObject({ hooks: v.optional(v.record(v.string(), v.array(Entry))) });

/** Finds problems that keep Crush from applying a config file as written. */
export const findConfigProblems = (text: string): ConfigProblem[] =>
  text === ""
    ? []
    : (findJsonProblems(text, ALLOWED_JSON_EXTENSIONS, FILE_CONSEQUENCE) ??
      findSchemaProblems(text, File, FILE_CONSEQUENCE));

/** Notes that Crush reports only calls from the top-level agent. */
function noteSubagents({ files }: DoctorContext): Finding[] {
  const installedEntries = listOurEntries(files);
  if (installedEntries.length === 0) return [];
  return [
    createNote(
      "unreported-subagents",
      `Crush calls the entries in ${formatPaths(installedEntries.map(({ file }) => file))} only for its top-level agent`,
      "calls made by subagents are not guarded",
      'deny the tools "agent" and "agentic_fetch", or disable them with options.disabled_tools in crush.json',
    ),
  ];
}

/**
 * Notes which config scripts exist. Crush merges a script's settings with those of the config file in the same
 * directory [docs https://github.com/charmbracelet/crush/tree/main/docs/config].
 */
const noteScripts = ({ files }: DoctorContext): Finding[] =>
  files
    .filter(({ ownEntries }) => ownEntries.length > 0)
    .flatMap(({ path }) => ["crushrc", ".crushrc"].map((name) => `${dirname(path)}/${name}`))
    .filter(existsSync)
    .map((path) =>
      createNote(
        "config-script",
        `some releases of Crush also read ${path} as config`,
        "the file is a script that runs when Crush starts and overrides crush.json; bridge-hooks does not read the script",
        "make sure that the script defines no hooks, or check Crush's own list of hooks",
      ),
    );

/** Launches an entry in sh, where a plain command works the same way as in Crush's built-in shell. */
const listLaunches: HostDoctor["listLaunches"] = ({ command }, file, payload, machine) => {
  const cwd = findCallRoot(file, machine);
  const env = buildHostEnv(machine.env, scriptCodec.buildScriptEnv(cwd, parseJsonObject(payload) ?? {}));
  return [{ argv: ["sh", "-c", command], cwd, env, stdin: payload }];
};

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems,
  listLaunches,
  judgeAnswer,
  checks: [noteSubagents, noteScripts, noteOpenFailures("Crush")],
});
