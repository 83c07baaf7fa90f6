import { existsSync } from "node:fs";
import { basename } from "node:path";
import * as v from "valibot";
import type { Env, Payload } from "../../protocol/host/host.ts";
import type {
  ConfigEntry,
  ConfigProblem,
  DoctorContext,
  Finding,
  HostDoctor,
  LoadedConfigFile,
  MachineContext,
} from "../../protocol/host/install.ts";
import { isObject, toObject } from "../../protocol/object.ts";
import { parseJsonObject } from "../codec/answer-values.ts";
import { claude } from "../entries.ts";
import { findGitBash, findProgram, systemProgram } from "../find-program.ts";
import { readOutput } from "../run-program.ts";
import {
  defineDoctor,
  findRestrictingKey,
  installManaged,
  listManagedFiles,
  reportManagedHooksOnly,
} from "../setup/checks.ts";
import { collectEntries } from "../setup/entries.ts";
import { createNote, createRedFinding, formatPaths, listOurEntries } from "../setup/findings.ts";
import {
  CODE_LOADING_VARIABLES,
  LIBRARY_PATH_VARIABLES,
  PROGRAM_ENDING_VARIABLES,
  RUNTIME_VARIABLES,
} from "../setup/harmful-variables.ts";
import { findJsonProblems, findSchemaProblems, isValidMatcher } from "../setup/json-problems.ts";
import { buildPowerShellArgv, completeEnv, findCallRoot } from "../setup/launches.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { findModProblems } from "./mods.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

/**
 * With one of these, or a value that does not fit, Claude Code ignores the whole file
 * [seen 2.1.197 and 2.1.330, 2026-11-22].
 */
const ALLOWS = { comments: false, trailingComma: false, bom: true };
const DROPS = "Claude Code silently ignores the whole file";
const SKIPS = "Claude Code silently skips it";

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
const Matched = v.looseObject({
  matcher: v.optional(v.pipe(v.string(), v.check(isValidMatcher, "not a valid pattern"))),
  hooks: v.array(v.unknown()),
});
const Group = v.looseObject({ matcher: v.optional(v.string()), hooks: v.array(Handler) });
/**
 * An event's value that is not a list is skipped, and so is whatever stands at an unknown event; an invalid element of a
 * known event's list is not [seen 2.1.330, 2026-11-28].
 */
const Event = v.union([v.array(Group), v.custom<unknown>((value) => !Array.isArray(value))]);

/** The keys for which wrong values were tested. */
const Settings = v.looseObject({
  env: v.optional(v.looseObject({})),
  permissions: v.optional(v.looseObject({ allow: v.optional(v.array(v.unknown())) })),
  model: text(),
  cleanupPeriodDays: v.optional(v.number()),
  statusLine: v.optional(v.looseObject({})),
  disableAllHooks: v.optional(v.boolean()),
  hooks: v.optional(
    v.looseObject(Object.fromEntries(Object.keys(capabilities).map((event) => [event, v.optional(Event)]))),
  ),
});
const Groups = v.looseObject({
  hooks: v.optional(v.record(v.string(), v.array(Matched, "not a list"))),
});

/** Returns the reasons why Claude Code would not obey a settings file as it stands. */
export function findConfigProblems(source: string): ConfigProblem[] {
  const found = findJsonProblems(source, ALLOWS, DROPS) ?? findSchemaProblems(source, Settings, DROPS);
  return found.length > 0 ? found : findSchemaProblems(source, Groups, SKIPS, "part");
}

/** Managed settings outside of Claude Code's own files. */
interface ManagedSource {
  name: string;
  /** Empty if unreadable. */
  document: Payload;
}

/**
 * Returns a system program's output; undefined if it fails. Its fixed path comes first: a project may put another one
 * on PATH.
 */
function readProgramOutput(place: MachineContext, program: string, args: readonly string[]): string {
  const own = place.platform === "win32" ? systemProgram(program) : `/usr/bin/${program}`;
  const path = existsSync(own)
    ? own
    : findProgram(program, { roots: place.roots, path: place.env.PATH ?? place.env.Path ?? "" });
  if (!path) return "";
  const { stdout, exit_code } = readOutput({ argv: [path, ...args], env: place.env, timeout: 1_500 });
  return exit_code === 0 ? stdout : "";
}

/**
 * Preferences set by device management [shipped 2.1.330 and docs https://code.claude.com/docs/en/settings; not run].
 */
function readPreferences(place: MachineContext): ManagedSource[] {
  const folder = `${place.system ?? ""}/Library/Managed Preferences`;
  return [`${folder}/${basename(place.home)}`, folder].flatMap((path) => {
    const name = `${path}/${claude.preferences.domain}.plist`;
    return existsSync(name)
      ? [
          {
            name,
            document: parseJsonObject(readProgramOutput(place, "plutil", ["-convert", "json", "-o", "-", name])) ?? {},
          },
        ]
      : [];
  });
}

/** The policy in the Windows registry [shipped 2.1.330 and docs https://code.claude.com/docs/en/settings; not run]. */
function readRegistryPolicy(place: MachineContext, hive: "HKLM" | "HKCU"): ManagedSource[] {
  const name = `${hive}\\${claude.preferences.registryKey}`;
  const value = /\bSettings\s+REG_(?:EXPAND_)?SZ\s+(.*)/.exec(
    readProgramOutput(place, "reg", ["query", name, "/v", "Settings"]),
  )?.[1];
  return value === undefined ? [] : [{ name, document: parseJsonObject(value) ?? {} }];
}

/** By precedence: the first source wins, and the others are ignored unless it says `managedSourcesBehavior: "merge"`. */
function findManagedSources({ place, files }: DoctorContext) {
  const strong =
    place.platform === "darwin"
      ? readPreferences(place)
      : place.platform === "win32"
        ? readRegistryPolicy(place, "HKLM")
        : [];
  const own = files.filter(({ scope, document }) => scope === "managed" && Object.keys(toObject(document)).length > 0);
  const weak = place.platform === "win32" ? readRegistryPolicy(place, "HKCU") : [];
  return { strong: strong[0], own, weak: weak[0] };
}

const getEntryKey = ({ command, args }: ConfigEntry) => JSON.stringify([command, args]);

/**
 * The key of a helper that computes managed settings in place of the source that names it; a failing `policyHelper`
 * keeps Claude Code from starting [shipped 2.1.332; `policyHelper` and `policyHelpers.linux` seen 2.1.332, 2026-11-28].
 */
function findReplacingHelper({ policyHelper, policyHelpers }: Payload, platform: NodeJS.Platform): string | undefined {
  const name = { darwin: "macos", win32: "windows" }[platform as string] ?? "linux";
  const { path, script, outputBehavior } = toObject(toObject(policyHelpers)[name]);
  // It wins over `policyHelper`, and can add to the source instead.
  if (path !== undefined || script !== undefined)
    return outputBehavior === "merge" ? undefined : `policyHelpers.${name}`;
  return isObject(policyHelper) ? "policyHelper" : undefined;
}

interface ManagedSettings {
  findings: Finding[];
  /** The documents of the source that wins, and of those that it merges. */
  documents: Payload[];
  name: string;
}

/** Determines which managed settings apply, and whether they contain our entries. */
function examineManagedSettings(examination: DoctorContext): ManagedSettings {
  const { strong, own, weak } = findManagedSources(examination);
  const winner = strong ?? (own.length > 0 ? undefined : weak);
  const merges = winner === strong && strong?.document.managedSourcesBehavior === "merge";
  const used = !winner || merges ? own : [];
  const name = [winner?.name, formatPaths(used)].filter(Boolean).join(", ");
  if (!name) return { findings: [], documents: [], name };
  const documents = [...(winner ? [winner.document] : []), ...used.map(({ document }) => toObject(document))];
  const inSource = new Set(documents.flatMap((document) => collectEntries(document, "groups").map(getEntryKey)));
  const ignored = listOurEntries(own).filter(({ entry }) => !inSource.has(getEntryKey(entry)));
  const found =
    ignored.length > 0
      ? createRedFinding(
          "managed-shadowed",
          `managed settings come from ${name}, and bridge-hooks' entries are in ${formatPaths(ignored.map(({ file }) => file))}`,
          "Claude Code uses only the strongest source of managed settings, so these entries are ignored",
          `put the entries into ${name}, as the enterprise pack has them, remove it, or set "managedSourcesBehavior": "merge" there`,
        )
      : createNote(
          "managed-source",
          `managed settings come from ${name}`,
          "weaker sources are ignored; settings from the claude.ai console would win over it, and can't be seen from here",
          "none needed, if this is the source that you manage",
        );
  return { findings: [found, ...findHelperProblems(documents, name, examination)], documents, name };
}

/** Reports a helper whose output takes the place of our managed entries. */
function findHelperProblems(documents: readonly Payload[], name: string, { place, files }: DoctorContext): Finding[] {
  const helper = documents.map((one) => findReplacingHelper(one, place.platform)).find(Boolean);
  const managed = listManagedFiles(files);
  if (!helper || managed.length === 0) return [];
  return [
    createRedFinding(
      "managed-helper",
      `${name} sets ${helper}, which computes the managed settings at each start`,
      `its output takes the place of the entries in ${formatPaths(managed)}; what it prints can't be seen from here`,
      'let the helper print the same hooks, or name it in policyHelpers with "outputBehavior": "merge"',
    ),
  ];
}

const HOST = { id: "claude", name: "Claude Code" };

/** Finds settings that disable hooks. */
function findDisabledHooks({ files }: DoctorContext, { documents, name }: ManagedSettings): Finding[] {
  const ours = files.filter((file) => file.ours.length > 0);
  const others = ours.filter(({ scope }) => scope !== "managed");
  if (ours.length === 0) return [];
  const found: Finding[] = [];
  if (documents.some(({ disableAllHooks }) => disableAllHooks === true))
    found.push(
      createRedFinding(
        "hooks-disabled",
        `${name} sets disableAllHooks`,
        "Claude Code runs no hook at all",
        "remove disableAllHooks there",
      ),
    );
  for (const { path, scope, document } of others.length > 0 ? files : []) {
    if (scope === "managed" || toObject(document).disableAllHooks !== true) continue;
    const impact = `the entries in ${formatPaths(others)} don't run; managed ones would hold`;
    found.push(
      createRedFinding(
        "hooks-disabled",
        `${path} sets disableAllHooks`,
        impact,
        `remove disableAllHooks from ${path}, or: ${installManaged(HOST.id)}`,
      ),
    );
  }
  const key = documents.map(findRestrictingKey).find(Boolean);
  if (key && others.length === ours.length) found.push(reportManagedHooksOnly(HOST, `${name} says ${key}`, others));
  return found;
}

/** Variables that change which programs and hooks are found, or which servers requests reach and trust. */
const MOVES =
  /^(PATH|HOME|USERPROFILE|SystemRoot|ComSpec|XDG_STATE_HOME|CLAUDE_CONFIG_DIR|SSL_CERT_(FILE|DIR)|(HTTPS?|ALL|NO)_PROXY)$/i;

/**
 * The variables that user and managed settings set for hooks. A project's are left out, so that a check does not run
 * what a repository chose.
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
  const loads = project ? list(CODE_LOADING_VARIABLES, LIBRARY_PATH_VARIABLES) : list(CODE_LOADING_VARIABLES);
  const moves = project ? list(MOVES, RUNTIME_VARIABLES) : list(MOVES, RUNTIME_VARIABLES, LIBRARY_PATH_VARIABLES);
  const ends = list(PROGRAM_ENDING_VARIABLES);
  const found: Finding[] = [];
  if (loads) {
    const impact = "it runs someone's code inside every hook, this one included";
    found.push(createRedFinding("env-loads-code", `${path} sets ${loads}`, impact, `remove it from ${path}`));
  }
  if (ends) {
    const impact =
      "it can make the system's loader end every hook before it starts, or print before its answer, so calls pass";
    found.push(createRedFinding("env-ends-programs", `${path} sets ${ends}`, impact, `remove it from ${path}`));
  }
  if (moves) {
    const impact =
      "bridge-hooks ignores the switches of its runtime; other variables decide which programs, home, state and servers its hooks find";
    found.push(
      createNote(
        "env-moves",
        `${path} sets ${moves}`,
        impact,
        `check whether that is intended, else remove it from ${path}`,
      ),
    );
  }
  const found_by = listOurEntries(files).filter(
    ({ entry }) => entry.args === undefined && !/^['"]?(\/|[A-Za-z]:)/.test(entry.command),
  );
  if (project && found_by.length > 0 && names.some((name) => /^(PATH|HOME)$/i.test(name))) {
    const impact = `it decides what ${found_by[0]?.entry.command.split(" ")[0]} is in ${formatPaths(found_by.map((one) => one.file))}`;
    found.push(
      createRedFinding(
        "env-chooses-program",
        `${path} sets ${moves}`,
        impact,
        "install again, so that the entries name a full path",
      ),
    );
  }
  return found;
}

/**
 * The first release with `onFailure` [shipped 2.1.295, not 2.1.294; seen to block in 2.1.330, and to be ignored in
 * 2.1.197, 2026-11-22].
 */
const ON_FAILURE = "2.1.295";

function findIgnoredOnFailure({ files, version }: DoctorContext): Finding[] {
  if (!version || Bun.semver.order(version, ON_FAILURE) >= 0) return [];
  return files
    .filter(({ ours }) => ours.some(({ handler }) => handler.onFailure !== undefined))
    .map(({ path }) =>
      createRedFinding(
        "on-failure-ignored",
        `Claude Code ${version} ignores onFailure in ${path}`,
        "a call passes where the executable is gone or killed; denials hold",
        `update Claude Code to ${ON_FAILURE} or later`,
      ),
    );
}

/** The first release with an event for the shell lines of skills and commands [shipped 2.1.332, not 2.1.330]. */
const SKILL_LINES = "2.1.332";

function findUnaskedSkillLines({ files, version }: DoctorContext): Finding[] {
  if (!version || Bun.semver.order(version, SKILL_LINES) >= 0) return [];
  const ours = listOurEntries(files).filter(({ entry }) => entry.native_event === "PreSkillShellCommand");
  if (ours.length === 0) return [];
  return [
    createNote(
      "skill-lines-unasked",
      `Claude Code ${version} asks no hook about the shell lines of skills and commands`,
      "a line such as !`command` in their text runs whatever a hook says",
      `update Claude Code to ${SKILL_LINES} or later`,
    ),
  ];
}

function findSettingsProblems(examination: DoctorContext): Finding[] {
  const source = examineManagedSettings(examination);
  return [...source.findings, ...findDisabledHooks(examination, source), ...findModProblems(examination, source)];
}

const listLaunches: HostDoctor["listLaunches"] = (entry, file, payload, place) => {
  const cwd = findCallRoot(file, place);
  const env = completeEnv(place.env, scriptCodec.buildScriptEnv(cwd, {}));
  const start = (argv: readonly string[], way?: string) => ({
    ...(way && { way }),
    argv,
    cwd,
    env,
    stdin: `${payload}\n`,
  });
  const { command, args, handler } = entry;
  // [seen 2.1.197 and 2.1.330, 2026-11-22]
  if (args) return [start([command, ...args])];
  if (place.platform !== "win32") return [start(["/bin/sh", "-c", command])];
  // Git Bash if installed, or else PowerShell [docs https://code.claude.com/docs/en/hooks; not run].
  return [
    ...(handler.shell === "powershell"
      ? []
      : [start([findGitBash(place.env.PATH ?? place.env.Path), "-c", command], "Git Bash")]),
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
    findUnaskedSkillLines,
  ],
});
