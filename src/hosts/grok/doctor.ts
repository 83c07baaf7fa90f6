import * as v from "valibot";
import type { ConfigProblem, DoctorContext, Finding, HostDoctor, MachineContext } from "../../protocol/host/install.ts";
import { grok } from "../entries.ts";
import {
  defineDoctor,
  formatManagedInstall,
  listManagedFiles,
  listUnmanagedFiles,
  noteImportedEntries,
  noteOpenFailures,
  noteTrustedFoldersOnly,
  readOptionalText,
  readSettings,
  reportManagedHooksOnly,
} from "../setup/checks.ts";
import { createRedFinding } from "../setup/findings.ts";
import { findJsonProblems, findSchemaProblems, isValidMatcher } from "../setup/json-problems.ts";
import { buildPowerShellArgv, buildHostEnv, findCallRoot } from "../setup/launches.ts";
import { findTomlProblems } from "../setup/toml-problems.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { findUnloadedEntries, toSnakeCase } from "./inspect.ts";
import { setup } from "./install.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

// Grok Build doesn't accept any of these JSON syntax extensions [seen 1.0.41, 2026-11-28, in grok inspect and runs].
const ALLOWED_JSON_EXTENSIONS = { comments: false, trailingComma: false, bom: false };
const FILE_CONSEQUENCE = "Grok Build silently ignores the whole file";
/** Consequence of an invalid event in a TOML file. */
const EVENT_CONSEQUENCE = "Grok Build silently ignores this event's entries";
const ENTRY_CONSEQUENCE = "Grok Build silently ignores this entry";

const optional = (schema: v.GenericSchema) => v.nullish(schema);
/** Rust's regular expressions don't support look-around [seen 1.0.41, 2026-11-28]. */
const pattern = v.check(
  (text: string) => text === "" || (isValidMatcher(text) && !/\(\?<?[=!]/.test(text)),
  "not a pattern that Grok Build accepts (look-around isn't supported)",
);

/** Requirements for a whole file. If a file violates any of them, Grok Build ignores all of its hooks. */
const Handler = v.looseObject({
  type: v.string('must be "command" or "http"'),
  command: optional(v.string()),
  url: optional(v.string()),
  timeout: optional(v.pipe(v.number(), v.integer("must be a whole number of seconds"), v.minValue(0))),
  env: optional(v.record(v.string(), v.string())),
});
const Group = v.looseObject({ matcher: optional(v.string()), hooks: v.array(Handler) });

/** Requirements for each entry in a valid file. */
const Entry = v.pipe(
  v.looseObject({ type: v.picklist(["command", "http"], 'must be "command" or "http"') }),
  v.check(({ type, command, url }) => (type === "http" ? url : command) !== undefined, "a command is missing"),
);
const Entries = v.looseObject({ matcher: v.nullish(v.pipe(v.string(), pattern)), hooks: v.array(Entry) });

/** Event names in every spelling that Grok Build accepts [seen 1.0.41, 2026-11-27]. */
const ACCEPTED_EVENT_NAMES = Object.keys(capabilities).flatMap((event) => [
  event,
  toSnakeCase(event),
  event.charAt(0).toLowerCase() + event.slice(1),
]);
/** Creates the schema for a file. Unknown events aren't checked, because Grok Build skips them. */
const createFileSchema = (group: v.GenericSchema) =>
  v.looseObject({
    hooks: v.optional(
      v.looseObject(Object.fromEntries(ACCEPTED_EVENT_NAMES.map((event) => [event, v.optional(v.array(group))]))),
    ),
  });
const [Files, Whole] = [createFileSchema(Group), createFileSchema(Entries)];

/** Finds the problems that would keep Grok Build from applying a config file as written. */
export function findConfigProblems(text: string, file: string): ConfigProblem[] {
  if (file.endsWith(".toml")) {
    const problems = findTomlProblems(text, Files, EVENT_CONSEQUENCE);
    return problems.length > 0 ? problems : findTomlProblems(text, Whole, ENTRY_CONSEQUENCE, { extent: "part" });
  }
  const problems =
    findJsonProblems(text, ALLOWED_JSON_EXTENSIONS, FILE_CONSEQUENCE) ??
    findSchemaProblems(text, Files, FILE_CONSEQUENCE);
  return problems.length > 0 ? problems : findSchemaProblems(text, Whole, ENTRY_CONSEQUENCE, "part");
}

const HOST = { id: "grok", name: "Grok Build" };

/** Lists the files an organization can use to restrict Grok Build to managed hooks. */
const listPolicyFiles = (machine: MachineContext): string[] =>
  [grok.folders.managed(machine), grok.folders.user(machine)]
    .flatMap((folder) => (folder ? [`${folder}/requirements.toml`, `${folder}/managed_config.toml`] : []))
    .concat(machine.platform === "linux" ? `${machine.system ?? ""}/etc/claude-code/managed-settings.json` : []);

/**
 * Finds settings that restrict Grok Build to managed hooks [seen 1.0.41, 2026-11-28]. Any value except false enables
 * the restriction.
 */
function findManagedRestrictions({ machine, files }: DoctorContext): Finding[] {
  const unmanagedFiles = listUnmanagedFiles(files);
  if (unmanagedFiles.length === 0 || listManagedFiles(files).length > 0) return [];
  return listPolicyFiles(machine).flatMap((path) => {
    const { allow_managed_hooks_only: snake, allowManagedHooksOnly: camel } = readSettings(path);
    const isRestricted = (snake ?? camel ?? false) !== false;
    return isRestricted ? [reportManagedHooksOnly(HOST, `${path} sets allow_managed_hooks_only`, unmanagedFiles)] : [];
  });
}

/**
 * Finds entries that the user disabled in /hooks. Grok Build stores each one as `global/<file>:<event>[0].hooks[0]`
 * [seen 1.0.41, 2026-11-27].
 */
function findDisabledEntries({ machine, files }: DoctorContext): Finding[] {
  const path = `${grok.folders.user(machine)}/disabled-hooks`;
  const unmanagedFiles = listUnmanagedFiles(files);
  if (unmanagedFiles.length === 0 || !/\bbridge-hooks:/.test(readOptionalText(path))) return [];
  return [
    createRedFinding(
      "entry-disabled",
      `${path} disables entries of bridge-hooks`,
      "Grok Build doesn't run them",
      `enable them in /hooks, or run ${formatManagedInstall(HOST.id)}`,
    ),
  ];
}

const noteUntrustedFolders = ({ files }: DoctorContext) =>
  noteTrustedFoldersOnly(
    HOST.name,
    files.filter(({ scope, ownEntries }) => scope === "project" && ownEntries.length > 0),
    [
      "in other folders Grok Build silently skips the entries",
      "run /hooks-trust in Grok Build, or start it with --trust",
    ],
  );

const noteImports = (examination: DoctorContext) =>
  noteImportedEntries(examination, {
    ...{ ...HOST, setup, verb: "runs" },
    answers: "the entries answer in Grok Build's format; project entries run only in trusted folders",
    describeFix: (_path, { machine }) =>
      `none needed; to run them only once, set hooks = false under [compat.claude] in ${grok.folders.user(machine)}/config.toml`,
  });

/** Launches an entry in a shell in the project [seen 1.0.41, 2026-11-27; on Windows unverified]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command }, file, payload, machine) => {
  const cwd = findCallRoot(file, machine);
  const [, sessionId] = /"sessionId"\s*:\s*"([^"]*)"/.exec(payload) ?? [];
  const env = buildHostEnv(machine.env, scriptCodec.buildScriptEnv(cwd, { sessionId }));
  return [
    {
      argv: machine.platform === "win32" ? buildPowerShellArgv(command) : ["sh", "-c", command],
      cwd,
      env,
      stdin: payload,
    },
  ];
};

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems,
  listLaunches,
  judgeAnswer,
  checks: [
    findManagedRestrictions,
    findDisabledEntries,
    findUnloadedEntries,
    noteUntrustedFolders,
    noteImports,
    noteOpenFailures(HOST.name),
  ],
});
