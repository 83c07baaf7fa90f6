import * as v from "valibot";
import type { Env } from "../../protocol/host/host.ts";
import type {
  ConfigProblem,
  DoctorContext,
  Finding,
  HostDoctor,
  LoadedConfigFile,
} from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { findGitBash } from "../find-program.ts";
import {
  defineDoctor,
  findRestrictingKey,
  formatManagedInstall,
  listUnmanagedFiles,
  reportManagedHooksOnly,
} from "../setup/checks.ts";
import { createNote, createRedFinding, formatPaths, listOurEntries } from "../setup/findings.ts";
import {
  CODE_LOADING_VARIABLES,
  LIBRARY_PATH_VARIABLES,
  PROGRAM_ENDING_VARIABLES,
  RUNTIME_VARIABLES,
} from "../setup/harmful-variables.ts";
import { findJsonProblems, findSchemaProblems, isValidMatcher } from "../setup/json-problems.ts";
import { buildPowerShellArgv, buildHostEnv, findCallRoot } from "../setup/launches.ts";
import { notePluginEntries } from "../setup/plugin-entries.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { examineManagedSettings, type ManagedSettings } from "./managed.ts";
import { findModProblems } from "./mods.ts";
import { findPluginSwitches } from "./plugin-switches.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import { findDocumentedReaders } from "./readers.ts";
import samples from "./samples.json" with { type: "json" };

/**
 * Which JSON extensions Claude Code accepts. It ignores the whole file if the file contains another extension or an
 * invalid value [seen 2.1.197 and 2.1.330, 2026-11-22].
 */
const ALLOWED_JSON_EXTENSIONS = { comments: false, trailingComma: false, bom: true };
const FILE_CONSEQUENCE = "Claude Code silently ignores the whole file";
const GROUP_CONSEQUENCE = "Claude Code silently skips this part";

const optionalString = () => v.optional(v.string());
const types = v.picklist(
  ["command", "http", "mcp_tool", "prompt", "agent"],
  'must be "command", "http", "mcp_tool", "prompt" or "agent"',
);
const Handler = v.pipe(
  v.looseObject({
    type: types,
    command: optionalString(),
    timeout: v.optional(v.number("must be a number of seconds")),
    onFailure: v.optional(v.picklist(["block", "continue"], 'must be "block" or "continue"')),
    if: optionalString(),
    statusMessage: optionalString(),
  }),
  v.check(({ type, command }) => type !== "command" || command !== undefined, "a command is missing"),
);
/** An invalid matcher pattern silently disables only its own group [seen 2.1.197 and 2.1.330, 2026-11-22]. */
const MatchedGroup = v.looseObject({
  matcher: v.optional(v.pipe(v.string(), v.check(isValidMatcher, "not a valid pattern"))),
  hooks: v.array(v.unknown()),
});
const Group = v.looseObject({ matcher: v.optional(v.string()), hooks: v.array(Handler) });
/**
 * Claude Code skips unknown events, as well as known events whose value isn't a list. If a known event's list contains
 * an invalid element, the whole file is invalid [seen 2.1.330, 2026-11-28].
 */
const Event = v.union([v.array(Group), v.custom<unknown>((value) => !Array.isArray(value))]);

/** Covers only the keys whose invalid values were tested. */
const Settings = v.looseObject({
  env: v.optional(v.looseObject({})),
  permissions: v.optional(v.looseObject({ allow: v.optional(v.array(v.unknown())) })),
  model: optionalString(),
  cleanupPeriodDays: v.optional(v.number()),
  statusLine: v.optional(v.looseObject({})),
  disableAllHooks: v.optional(v.boolean()),
  hooks: v.optional(
    v.looseObject(Object.fromEntries(Object.keys(capabilities).map((event) => [event, v.optional(Event)]))),
  ),
});
const Groups = v.looseObject({
  hooks: v.optional(v.record(v.string(), v.array(MatchedGroup, "not a list"))),
});

/** Finds problems that keep Claude Code from applying a settings file as written. */
export function findConfigProblems(source: string): ConfigProblem[] {
  const problems =
    findJsonProblems(source, ALLOWED_JSON_EXTENSIONS, FILE_CONSEQUENCE) ??
    findSchemaProblems(source, Settings, FILE_CONSEQUENCE);
  return problems.length > 0 ? problems : findSchemaProblems(source, Groups, GROUP_CONSEQUENCE, "part");
}

const HOST = { id: "claude", name: "Claude Code" };

function findDisabledHooks({ files }: DoctorContext, { documents, name }: ManagedSettings): Finding[] {
  const ourFiles = files.filter((file) => file.ownEntries.length > 0);
  const unmanagedFiles = listUnmanagedFiles(files);
  if (ourFiles.length === 0) return [];
  const findings: Finding[] = [];
  if (documents.some(({ disableAllHooks }) => disableAllHooks === true))
    findings.push(
      createRedFinding(
        "hooks-disabled",
        `${name} sets disableAllHooks`,
        "Claude Code runs no hooks at all",
        "remove disableAllHooks from these settings",
      ),
    );
  for (const { path, scope, document } of unmanagedFiles.length > 0 ? files : []) {
    if (scope === "managed" || toObject(document).disableAllHooks !== true) continue;
    const impact = `the entries in ${formatPaths(unmanagedFiles)} don't run; only managed entries would`;
    findings.push(
      createRedFinding(
        "hooks-disabled",
        `${path} sets disableAllHooks`,
        impact,
        `remove disableAllHooks from ${path}, or run ${formatManagedInstall(HOST.id)}`,
      ),
    );
  }
  const key = documents.map(findRestrictingKey).find(Boolean);
  if (key && unmanagedFiles.length === ourFiles.length)
    findings.push(reportManagedHooksOnly(HOST, `${name} sets ${key}`, unmanagedFiles));
  return findings;
}

/**
 * Environment variables that affect where programs and hooks are found, and which servers are contacted and trusted.
 */
const LOOKUP_VARIABLES =
  /^(PATH|HOME|USERPROFILE|SystemRoot|ComSpec|XDG_STATE_HOME|CLAUDE_CONFIG_DIR|SSL_CERT_(FILE|DIR)|(HTTPS?|ALL|NO)_PROXY)$/i;

/**
 * Collects the environment variables that user and managed settings set for hooks. Project settings are left out so
 * that a check never runs a program chosen by a repository.
 */
const collectVariables = (files: readonly LoadedConfigFile[]): Env =>
  Object.fromEntries(
    ["user", "managed"]
      .flatMap((scope) =>
        files
          .filter((file) => file.scope === scope)
          .flatMap(({ document }) => Object.entries(toObject(toObject(document).env))),
      )
      .flatMap(([name, value]) =>
        typeof value === "string" && !/^(LD|DYLD)_|^(PATH|HOME|ENV|BASH_ENV)$/i.test(name) ? [[name, value]] : [],
      ),
  );

function findHarmfulVariables(
  { path, scope, document }: LoadedConfigFile,
  files: readonly LoadedConfigFile[],
): Finding[] {
  if (scope === "managed") return [];
  const names = Object.keys(toObject(toObject(document).env));
  const project = scope === "project" || scope === "local";
  const list = (...patterns: RegExp[]) =>
    names.filter((name) => patterns.some((pattern) => pattern.test(name))).join(", ");
  const loadingVariables = project
    ? list(CODE_LOADING_VARIABLES, LIBRARY_PATH_VARIABLES)
    : list(CODE_LOADING_VARIABLES);
  const movingVariables = project
    ? list(LOOKUP_VARIABLES, RUNTIME_VARIABLES)
    : list(LOOKUP_VARIABLES, RUNTIME_VARIABLES, LIBRARY_PATH_VARIABLES);
  const endingVariables = list(PROGRAM_ENDING_VARIABLES);
  const findings: Finding[] = [];
  const fix = `remove this setting from ${path}`;
  if (loadingVariables) {
    const impact = "the variable injects code into every hook process, including bridge-hooks";
    findings.push(createRedFinding("env-loads-code", `${path} sets ${loadingVariables}`, impact, fix));
  }
  if (endingVariables) {
    const impact =
      "the variable can make the loader kill every hook at startup or print text before its answer, so calls run unchecked";
    findings.push(createRedFinding("env-ends-programs", `${path} sets ${endingVariables}`, impact, fix));
  }
  if (movingVariables) {
    const impact =
      "such variables change which programs, servers and directories hooks use; bridge-hooks itself ignores runtime switches";
    findings.push(
      createNote(
        "env-moves",
        `${path} sets ${movingVariables}`,
        impact,
        `if this isn't intended, remove the setting from ${path}`,
      ),
    );
  }
  const lookedUpEntries = listOurEntries(files).filter(
    ({ entry }) => entry.args === undefined && !/^['"]?(\/|[A-Za-z]:)/.test(entry.command),
  );
  if (project && lookedUpEntries.length > 0 && names.some((name) => /^(PATH|HOME)$/i.test(name))) {
    const impact = `the variable determines which ${lookedUpEntries[0]?.entry.command.split(" ")[0]} runs for the entries in ${formatPaths(lookedUpEntries.map((entry) => entry.file))}`;
    findings.push(
      createRedFinding(
        "env-chooses-program",
        `${path} sets ${movingVariables}`,
        impact,
        "reinstall so that the entries use a full path",
      ),
    );
  }
  return findings;
}

/**
 * First release with `onFailure` [shipped 2.1.295, not 2.1.294; seen to block in 2.1.330, and to be ignored in 2.1.197,
 * 2026-11-22].
 */
const ON_FAILURE_RELEASE = "2.1.295";

function findIgnoredOnFailure({ files, version }: DoctorContext): Finding[] {
  if (!version || Bun.semver.order(version, ON_FAILURE_RELEASE) >= 0) return [];
  return files
    .filter(({ ownEntries }) => ownEntries.some(({ handler }) => handler.onFailure !== undefined))
    .map(({ path }) =>
      createRedFinding(
        "on-failure-ignored",
        `Claude Code ${version} ignores onFailure in ${path}`,
        "calls run if the executable is missing or killed; denials still work",
        `update Claude Code to ${ON_FAILURE_RELEASE} or later`,
      ),
    );
}

/** First release with an event for shell commands in skills and slash commands [shipped 2.1.332, not 2.1.330]. */
const SKILL_COMMANDS_RELEASE = "2.1.332";

function findUnguardedSkillCommands({ files, version }: DoctorContext): Finding[] {
  if (!version || Bun.semver.order(version, SKILL_COMMANDS_RELEASE) >= 0) return [];
  const installedEntries = listOurEntries(files).filter(({ entry }) => entry.native_event === "PreSkillShellCommand");
  if (installedEntries.length === 0) return [];
  return [
    createNote(
      "skill-lines-unasked",
      `Claude Code ${version} doesn't call hooks for shell commands in skills and slash commands`,
      "shell commands such as !`command` in a skill or slash command run without being checked",
      `update Claude Code to ${SKILL_COMMANDS_RELEASE} or later`,
    ),
  ];
}

function findSettingsProblems(examination: DoctorContext): Finding[] {
  const source = examineManagedSettings(examination);
  return [...source.findings, ...findDisabledHooks(examination, source), ...findModProblems(examination, source)];
}

const listLaunches: HostDoctor["listLaunches"] = (entry, file, payload, machine) => {
  const cwd = findCallRoot(file, machine);
  const env = buildHostEnv(machine.env, scriptCodec.buildScriptEnv(cwd, {}));
  const start = (argv: readonly string[], way?: string) => ({
    ...(way && { way }),
    argv,
    cwd,
    env,
    stdin: `${payload}\n`,
  });
  const { command, args, handler } = entry;
  // If the entry has `args`, Claude Code starts the command without a shell [seen 2.1.197 and 2.1.330, 2026-11-22].
  if (args) return [start([command, ...args])];
  if (machine.platform !== "win32") return [start(["/bin/sh", "-c", command])];
  // Claude Code uses Git Bash if it is installed, otherwise PowerShell [docs https://code.claude.com/docs/en/hooks; not
  // run].
  return [
    ...(handler.shell === "powershell"
      ? []
      : [start([findGitBash(machine.env.PATH ?? machine.env.Path), "-c", command], "Git Bash")]),
    ...(handler.shell === "bash" ? [] : [start(buildPowerShellArgv(command), "PowerShell")]),
  ];
};

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems,
  listLaunches,
  judgeAnswer,
  collectVariables,
  checks: [
    findSettingsProblems,
    ({ files }) => files.flatMap((file) => findHarmfulVariables(file, files)),
    findIgnoredOnFailure,
    findUnguardedSkillCommands,
    findPluginSwitches,
    notePluginEntries(HOST.name),
    findDocumentedReaders,
  ],
});
