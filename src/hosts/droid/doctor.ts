import { dirname } from "node:path";
import * as v from "valibot";
import type {
  ConfigProblem,
  DoctorContext,
  Finding,
  HostDoctor,
  LoadedConfigFile,
} from "../../protocol/host/install.ts";
import { isObject, parseJsonObject, toObject } from "../../protocol/object.ts";
import {
  defineDoctor,
  formatManagedInstall,
  listManagedFiles,
  listUnmanagedFiles,
  noteOpenFailures,
  readSettings,
  reportManagedHooksOnly,
} from "../setup/checks.ts";
import { collectEntries } from "../setup/entries.ts";
import { createRedFinding, formatPaths } from "../setup/findings.ts";
import { findJsonProblems, findSchemaProblems, isValidMatcher } from "../setup/json-problems.ts";
import { buildPowerShellArgv, buildHostEnv, findCallRoot } from "../setup/launches.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { isHooksFile } from "./install.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

const HOST = { id: "droid", name: "Droid" };

// JSON extensions that Droid accepts, and how it reacts to errors [all seen 0.215.0, 2026-11-29].
const ALLOWED_JSON_EXTENSIONS = { comments: true, trailingComma: false, bom: false };
const FILE_CONSEQUENCE = "Droid silently ignores every hook in the file";
const GROUP_CONSEQUENCE = "Droid skips the group";

const Handler = v.looseObject({
  type: v.literal("command", "must be command"),
  command: v.string(),
  timeout: v.optional(v.number("must be a number of seconds")),
});
const Group = v.looseObject({
  matcher: v.optional(v.string()),
  commandRegex: v.optional(v.string()),
  hooks: v.array(Handler),
});
const pattern = v.optional(v.pipe(v.string(), v.check(isValidMatcher, "not a regular expression that Droid accepts")));
const Patterns = v.looseObject({ matcher: pattern, commandRegex: pattern });

/** Creates a schema for the events. Unknown events aren't checked, because Droid ignores them. */
const createHooksSchema = (group: v.GenericSchema, extraEntries = {}) =>
  v.pipe(
    v.custom<object>(isObject, "must be an object"),
    v.looseObject({
      ...Object.fromEntries(Object.keys(capabilities).map((event) => [event, v.optional(v.array(group))])),
      ...extraEntries,
    }),
  );
const optionalBoolean = v.optional(v.boolean());
const Hooks = createHooksSchema(Group, { hooksDisabled: optionalBoolean, showHookOutput: optionalBoolean });
const Matchers = createHooksSchema(Patterns);

/** Finds problems that keep Droid from applying a config file as written. */
export function findConfigProblems(text: string, file: string): ConfigProblem[] {
  const hasTopLevelEvents = isHooksFile(file);
  const check = (schema: v.GenericSchema, impact: string, extent?: "part") =>
    findSchemaProblems(
      text,
      hasTopLevelEvents ? schema : v.looseObject({ hooks: v.optional(schema) }),
      impact,
      extent,
    ).map((problem) => (hasTopLevelEvents ? { ...problem, path: ["hooks", ...(problem.path ?? [])] } : problem));
  const problems = findJsonProblems(text, ALLOWED_JSON_EXTENSIONS, FILE_CONSEQUENCE) ?? check(Hooks, FILE_CONSEQUENCE);
  return problems.length > 0 ? problems : check(Matchers, GROUP_CONSEQUENCE, "part");
}

const getHooks = ({ document }: LoadedConfigFile) => toObject(toObject(document).hooks);

/** Lists the hook files that take precedence over a file in the same directory. */
function listFilesBefore(path: string): string[] {
  if (path.endsWith("/hooks/hooks.json")) return [`${dirname(dirname(path))}/hooks.json`];
  return isHooksFile(path) ? [] : ["hooks.json", "hooks/hooks.json"].map((name) => `${dirname(path)}/${name}`);
}

const findFileBefore = ({ path }: LoadedConfigFile, files: readonly LoadedConfigFile[]) =>
  listFilesBefore(path)
    .flatMap((precedingPath) => files.find((file) => file.path === precedingPath) ?? [])
    .at(0);

/**
 * Selects the files that Droid reads. If a directory contains both hooks.json and hooks/hooks.json, Droid reads only
 * hooks.json [seen 0.215.0, 2026-11-29].
 */
const listReadFiles = (files: readonly LoadedConfigFile[]) =>
  files.filter((file) => !file.path.endsWith("/hooks/hooks.json") || findFileBefore(file, files) === undefined);

/**
 * Finds events that Droid ignores because a hook file in the same directory overrides them [seen 0.215.0, 2026-11-29].
 */
function findOverriddenEvents({ files }: DoctorContext): Finding[] {
  return files.flatMap((file) => {
    const precedingFile = findFileBefore(file, files);
    if (!precedingFile) return [];
    const isReplaced = (event: string) =>
      !listReadFiles(files).includes(file) || Object.hasOwn(getHooks(precedingFile), event);
    const entries = collectEntries(file.document, "groups").filter(({ native_event }) => isReplaced(native_event));
    const events = [...new Set(entries.map(({ native_event }) => native_event))];
    if (events.length === 0 || file.ownEntries.length + precedingFile.ownEntries.length === 0) return [];
    return [
      createRedFinding(
        "events-replaced",
        `${precedingFile.path} overrides ${events.join(", ")} in ${file.path}`,
        "Droid doesn't run the overridden hooks",
        `move them into ${precedingFile.path}`,
      ),
    ];
  });
}

/** Finds entries inside a `hooks` key of hooks.json, which Droid doesn't read [seen 0.215.0, 2026-11-27]. */
function findWrappedEntries({ files }: DoctorContext): Finding[] {
  return files
    .filter((file) => isHooksFile(file.path) && collectEntries(getHooks(file), "groups").length > 0)
    .map(({ path }) =>
      createRedFinding(
        "hooks-wrapped",
        `${path} has events inside "hooks"`,
        "Droid reads only top-level events in this file, so these hooks don't run",
        'move the events out of "hooks"',
      ),
    );
}

const getSwitch = (hooks: unknown): unknown => toObject(hooks).hooksDisabled;
const allowsUnmanagedHooks = (files: readonly LoadedConfigFile[]) =>
  !files.some(({ scope, document }) => scope === "managed" && toObject(document).allowManagedHooksOnly === true);

/** Finds settings that restrict Droid to managed hooks [seen 0.215.0, 2026-11-27]. */
function findManagedRestrictions({ files }: DoctorContext): Finding[] {
  const unmanagedFiles = listUnmanagedFiles(files);
  if (unmanagedFiles.length === 0 || listManagedFiles(files).length > 0 || allowsUnmanagedHooks(files)) return [];
  const managed = files.filter(({ scope }) => scope === "managed");
  return [reportManagedHooksOnly(HOST, `${formatPaths(managed)} sets allowManagedHooksOnly`, unmanagedFiles)];
}

/**
 * Finds the setting that disables all hooks. In order of precedence, Droid reads it from managed settings,
 * `--settings`, the project's settings and the user's settings [seen 0.215.0, 2026-11-29].
 */
function findDisabledHooks({ machine, files }: DoctorContext): Finding[] {
  if (!files.some(({ ownEntries }) => ownEntries.length > 0)) return [];
  const { FACTORY_RUNTIME_SETTINGS_PATH: overlay } = machine.env;
  const readFiles = listReadFiles(files).map((file) => ({ ...file, value: getSwitch(getHooks(file)) }));
  const filterByScope = (...scopes: LoadedConfigFile["scope"][]) =>
    readFiles.filter(({ scope }) => scopes.includes(scope));
  const otherSwitches = [
    ...(overlay ? [{ path: overlay, value: getSwitch(readSettings(overlay).hooks) }] : []),
    ...filterByScope("project"),
    ...filterByScope("user"),
  ];
  const switches = [...filterByScope("managed"), ...(allowsUnmanagedHooks(files) ? otherSwitches : [])];
  const hooksSwitch = switches.find(({ value }) => typeof value === "boolean");
  if (hooksSwitch?.value !== true) return [];
  return [
    createRedFinding(
      "hooks-disabled",
      `${hooksSwitch.path} sets hooksDisabled`,
      "Droid runs no hooks at all",
      `remove the setting, or pin it in managed settings with ${formatManagedInstall(HOST.id)}`,
    ),
  ];
}

/** Finds managed hooks that a project can disable [seen 0.215.0, 2026-11-29]. */
function findOverridableHooks({ files }: DoctorContext): Finding[] {
  const unpinnedFiles = listManagedFiles(files).filter((file) => getSwitch(getHooks(file)) === undefined);
  if (unpinnedFiles.length === 0 || !allowsUnmanagedHooks(files)) return [];
  return [
    createRedFinding(
      "managed-not-pinned",
      `${formatPaths(unpinnedFiles)} does not set hooks.hooksDisabled to false`,
      "any project can disable these managed hooks with hooksDisabled = true",
      formatManagedInstall(HOST.id),
    ),
  ];
}

/** Launches an entry in a shell in the session's directory [seen 0.215.0, 2026-11-27; on Windows unverified]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command }, file, payload, machine) => {
  const cwd = findCallRoot(file, machine);
  const payloadFields = parseJsonObject(payload);
  const env = buildHostEnv(machine.env, scriptCodec.buildScriptEnv(cwd, isObject(payloadFields) ? payloadFields : {}));
  const argv = machine.platform === "win32" ? buildPowerShellArgv(command) : ["sh", "-c", command];
  return [{ argv, cwd, env, stdin: payload }];
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
    findDisabledHooks,
    findOverridableHooks,
    findOverriddenEvents,
    findWrappedEntries,
    noteOpenFailures(HOST.name),
  ],
});
