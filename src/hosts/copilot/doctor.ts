import { lstatSync } from "node:fs";
import * as v from "valibot";
import type {
  ConfigProblem,
  DoctorContext,
  Finding,
  HostDoctor,
  LoadedConfigFile,
} from "../../protocol/host/install.ts";
import { isObject, toObject } from "../../protocol/object.ts";
import { copilot } from "../entries.ts";
import {
  defineDoctor,
  findRestrictingKey,
  formatManagedInstall,
  isChangeableByOthers,
  listManagedFiles,
  listUnmanagedFiles,
  noteImportedEntries,
  noteTrustedFoldersOnly,
  readSettings,
  reportLink,
  reportManagedHooksOnly,
} from "../setup/checks.ts";
import { createNote, createRedFinding, formatPaths } from "../setup/findings.ts";
import { findJsonProblems, findSchemaProblems, isValidMatcher } from "../setup/json-problems.ts";
import { buildPowerShellArgv, buildHostEnv, findCallRoot, getConfigFolder } from "../setup/launches.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { isSettingsFile, setup } from "./install.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

/** Copilot ignores the whole file if it contains any of these JSON extensions [seen 1.0.102, 2026-11-22]. */
const STRICT_JSON = { comments: false, trailingComma: false, bom: false };
/** Copilot parses the user's settings leniently but a project's settings strictly [seen 1.0.102, 2026-11-22]. */
const LENIENT_JSON = { comments: true, trailingComma: true, bom: true };

const FILE_CONSEQUENCE = "Copilot silently ignores the whole file";
/**
 * A single invalid hook disables all hooks in a settings file, but only itself in a hook file [seen 1.0.102,
 * 2026-11-22].
 */
const HOOKS_CONSEQUENCE = "Copilot silently ignores all hooks in the file";
const ENTRY_CONSEQUENCE = "Copilot silently ignores this entry";

const seconds = () =>
  v.optional(v.pipe(v.number("must be a number of seconds"), v.gtValue(0, "must be greater than 0")));
/**
 * In groups with Claude Code's layout, "*" matches every call; in a plain list, it isn't a valid pattern [seen 1.0.102,
 * 2026-11-22].
 */
const matcher = (allowsStar: boolean) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => text !== "" && (allowsStar || text !== "*") && isValidMatcher(text),
        "not a valid pattern; name tools, or remove the pattern",
      ),
    ),
  );
const createStringSchema = () => v.optional(v.string());
const Handler = v.pipe(
  v.looseObject({
    type: v.optional(v.picklist(["command", "http", "prompt"], 'must be "command", "http" or "prompt"')),
    command: createStringSchema(),
    bash: createStringSchema(),
    powershell: createStringSchema(),
    timeout: seconds(),
    timeoutSec: seconds(),
    matcher: matcher(false),
  }),
  v.check(({ type = "command", command, bash, powershell, url, prompt }) => {
    const handlerTarget = { command: command ?? bash ?? powershell, http: url, prompt }[type];
    return handlerTarget !== undefined;
  }, "a command is missing"),
);
const Group = v.looseObject({ matcher: matcher(true), hooks: v.array(Handler) });
/** Copilot also accepts groups with Claude Code's layout. */
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

/**
 * Schema for the parts of a hook file that, if invalid, make Copilot ignore the whole file. Unknown events are skipped.
 */
const File = v.looseObject({ version, disableAllHooks, hooks: events(v.any()) });
const Entries = v.looseObject({ hooks: events(Element) });
const Settings = v.looseObject({ hooks: events(Element) });

/**
 * Whether a settings file belongs to a project: those are in `.github/copilot`, while the user's file is next to the
 * directory of user hooks.
 */
const isProjectSettings = (file: string) => /[\\/]\.github[\\/]copilot[\\/][^\\/]+$/.test(file);

/** Finds problems that keep Copilot from applying a config file as written. */
export function findConfigProblems(text: string, file: string): ConfigProblem[] {
  if (isSettingsFile(file))
    return (
      findJsonProblems(text, isProjectSettings(file) ? STRICT_JSON : LENIENT_JSON, HOOKS_CONSEQUENCE) ??
      findSchemaProblems(text, Settings, HOOKS_CONSEQUENCE)
    );
  const fileProblems =
    findJsonProblems(text, STRICT_JSON, FILE_CONSEQUENCE) ?? findSchemaProblems(text, File, FILE_CONSEQUENCE);
  return fileProblems.length > 0 ? fileProblems : findSchemaProblems(text, Entries, ENTRY_CONSEQUENCE, "part");
}

const HOST = { id: "copilot", name: "Copilot" };

const isInProject = ({ scope }: LoadedConfigFile) => scope === "project" || scope === "local";

/**
 * Finds settings that disable hooks. In a trusted project's settings, such a setting disables all hooks except policy
 * hooks; in a hook file, it disables only that file's hooks [seen 1.0.102, 2026-11-22].
 */
function findDisabledHooks({ machine, files }: DoctorContext): Finding[] {
  const unmanagedFiles = listUnmanagedFiles(files);
  if (unmanagedFiles.length === 0) return [];
  const projects = machine.roots.flatMap((root) =>
    [
      ".github/copilot/settings.json",
      ".github/copilot/settings.local.json",
      ".claude/settings.json",
      ".claude/settings.local.json",
    ].map((name) => `${root}/${name}`),
  );
  const disablingProjectFiles = projects.filter((path) => readSettings(path).disableAllHooks === true);
  const isDisabling = ({ document }: LoadedConfigFile) => toObject(document).disableAllHooks === true;
  const userSettingsFiles = files.filter(
    (file) => file.scope === "user" && isSettingsFile(file.path) && isDisabling(file),
  );
  const hookFiles = unmanagedFiles.filter(
    (file) => isDisabling(file) && !disablingProjectFiles.includes(file.path) && !userSettingsFiles.includes(file),
  );
  return [
    ...disablingProjectFiles.map((path) =>
      createRedFinding(
        "hooks-disabled",
        `${path} sets disableAllHooks`,
        `once Copilot trusts the folder, it runs none of the entries in ${formatPaths(unmanagedFiles)}`,
        `remove disableAllHooks from ${path}, or run ${formatManagedInstall(HOST.id)}`,
      ),
    ),
    ...hookFiles.map(({ path }) =>
      createRedFinding(
        "hooks-disabled",
        `${path} sets disableAllHooks`,
        "Copilot runs none of the file's entries",
        "remove disableAllHooks from that file",
      ),
    ),
    // This setting is documented to disable all hooks, but `copilot -p` runs them anyway [seen 1.0.102, 2026-11-22].
    ...userSettingsFiles.map(({ path }) =>
      createNote(
        "hooks-disabled",
        `${path} sets disableAllHooks`,
        `Copilot might not run the entries in ${formatPaths(unmanagedFiles)}`,
        "remove disableAllHooks from that file",
      ),
    ),
  ];
}

/** Finds managed settings that disable all unmanaged hooks. */
function findManagedRestrictions({ machine, files }: DoctorContext): Finding[] {
  const unmanagedFiles = listUnmanagedFiles(files);
  const path = `${copilot.folders.settings(machine)}/managed-settings.json`;
  const key = findRestrictingKey(readSettings(path));
  return key && unmanagedFiles.length > 0 && listManagedFiles(files).length === 0
    ? [reportManagedHooksOnly(HOST, `${path} sets ${key}`, unmanagedFiles)]
    : [];
}

/**
 * Finds policy files that Copilot ignores. A policy file must be owned by root, writable only by root and not a
 * symbolic link [seen 1.0.102, 2026-11-22].
 */
function findUnsafePolicyFiles({ machine, files }: DoctorContext): Finding[] {
  if (machine.platform === "win32" || machine.system) return [];
  return listManagedFiles(files).flatMap((file) => {
    const { path } = file;
    if (lstatSync(path).isSymbolicLink())
      return [reportLink("linked-config", path, `${setup.explainLinkRefusal?.(file)}, so its entries don't run`)];
    if (!isChangeableByOthers(path)) return [];
    const impact = "Copilot ignores a policy that users other than root can write to, so its entries don't run";
    return [
      createRedFinding(
        "policy-writable",
        `users other than root can write to ${path}`,
        impact,
        `chown root ${path}; chmod go-w ${path}`,
      ),
    ];
  });
}

const noteUntrustedFolders = ({ files }: DoctorContext) =>
  noteTrustedFoldersOnly(
    HOST.name,
    files.filter((file) => isInProject(file) && file.ownEntries.length > 0),
    [
      "in other folders Copilot silently skips the entries, and so does copilot -p",
      "start copilot in the project and trust it; for copilot -p use --trust-folder or GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true",
    ],
  );

const noteImports = (examination: DoctorContext) =>
  noteImportedEntries(examination, {
    ...{ ...HOST, setup, verb: "runs" },
    answers: "in trusted folders, the entries answer in Copilot's format",
    describeFix: () => "nothing",
  });

/** Launches an entry in the project without loading the user's shell profile [seen 1.0.102, 2026-11-22]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command }, file, payload, machine) => {
  const root = findCallRoot(file, machine);
  const env = buildHostEnv(machine.env, {
    ...scriptCodec.buildScriptEnv(root, {}),
    COPILOT_HOOK_DIR: getConfigFolder(file),
  });
  const argv =
    machine.platform === "win32" ? buildPowerShellArgv(command) : ["/bin/bash", "--norc", "--noprofile", "-c", command];
  return [{ argv, cwd: root, env, stdin: payload }];
};

/**
 * Notes that a release might not call hooks for background agents. Users reported the problem for 1.0.11 [docs
 * https://github.com/github/copilot-cli/issues/2293] and 1.0.37 [/3013]. Only 1.0.102 was run.
 */
const noteBackgroundAgents = ({ version, files }: DoctorContext): Finding[] =>
  version && Bun.semver.satisfies(version, "<1.0.102") && files.some(({ ownEntries }) => ownEntries.length > 0)
    ? [
        createNote(
          "background-agents",
          `release ${version} may not call hooks for background and task agents`,
          "calls by these agents are not guarded, as reported for releases up to 1.0.37",
          "update Copilot to 1.0.102 or later",
        ),
      ]
    : [];

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems,
  listLaunches,
  judgeAnswer,
  checks: [
    findDisabledHooks,
    findManagedRestrictions,
    findUnsafePolicyFiles,
    noteUntrustedFolders,
    noteImports,
    noteBackgroundAgents,
  ],
});
