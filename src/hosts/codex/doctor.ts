import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname } from "node:path";
import type { AST } from "toml-eslint-parser";
import * as v from "valibot";
import type {
  ConfigProblem,
  DoctorContext,
  Finding,
  HostDoctor,
  LoadedConfigFile,
} from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { systemProgram } from "../find-program.ts";
import { defineDoctor, formatManagedInstall, reportManagedHooksOnly, reportUnpinnedHooks } from "../setup/checks.ts";
import { hasHooks } from "../setup/entries.ts";
import { createNote, createRedFinding, formatPaths } from "../setup/findings.ts";
import { findJsonProblems, findSchemaProblems, isValidMatcher } from "../setup/json-problems.ts";
import { buildPowerShellArgv, buildHostEnv, findCallRoot } from "../setup/launches.ts";
import { notePluginEntries } from "../setup/plugin-entries.ts";
import { parseTomlTree } from "../setup/toml.ts";
import { findTomlProblems } from "../setup/toml-problems.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { examineTrust } from "./trust.ts";

/**
 * Codex accepts none of these JSON extensions. It ignores the whole file if the file contains one of them or an invalid
 * value [seen 0.169.0, 2026-11-22, in hooks/list and runs].
 */
const ALLOWED_JSON_EXTENSIONS = { comments: false, trailingComma: false, bom: false };
const JSON_CONSEQUENCE = "Codex ignores the whole file";
/**
 * How Codex reacts to an invalid config.toml or requirements.toml [seen 0.169.0, 2026-11-28: config.toml, the user's
 * and a trusted project's].
 */
const TOML_CONSEQUENCE = "Codex doesn't start with this file";
const GROUP_CONSEQUENCE = "Codex skips the group";

const types = v.picklist(["command", "mcp_tool", "prompt", "agent"], "must be command, mcp_tool, prompt or agent");
const Handler = v.pipe(
  v.looseObject({
    type: types,
    command: v.optional(v.string()),
    timeout: v.nullish(v.pipe(v.number(), v.integer("must be a whole number of seconds"), v.minValue(0))),
  }),
  v.check(({ type, command }) => type !== "command" || command !== undefined, "a command is missing"),
);
/**
 * Rust's regular expressions don't support look-around. Codex skips a group whose matcher is invalid [seen 0.169.0,
 * 2026-11-28].
 */
const pattern = v.check(
  (text: string) => isValidMatcher(text) && !/\(\?<?[=!]/.test(text),
  "not a pattern that Codex accepts (look-around isn't supported)",
);
const Group = v.looseObject({ matcher: v.nullish(v.string()), hooks: v.optional(v.array(Handler)) });
const MatchedGroup = v.looseObject({ matcher: v.nullish(v.pipe(v.string(), pattern)) });
/** Codex skips unknown events, so their values aren't checked. */
const createEventsSchema = (group: v.GenericSchema) =>
  v.looseObject(Object.fromEntries(Object.keys(capabilities).map((event) => [event, v.optional(v.array(group))])));
const Events = createEventsSchema(Group);
const Hooks = v.strictObject({ description: v.optional(v.string()), hooks: v.optional(Events) }, "unknown key");
/** Schema of the hooks in a config file; other settings in config.toml and requirements.toml are ignored. */
const Config = v.looseObject({ hooks: v.optional(Events) });
const Groups = v.looseObject({ hooks: v.optional(createEventsSchema(MatchedGroup)) });

/** Finds problems that keep Codex from applying a config file as written. */
export function findConfigProblems(text: string, file: string): ConfigProblem[] {
  if (file.endsWith(".toml")) {
    const problems = findTomlProblems(text, Config, TOML_CONSEQUENCE, { extent: "host" });
    return problems.length > 0 ? problems : findTomlProblems(text, Groups, GROUP_CONSEQUENCE, { extent: "part" });
  }
  const problems =
    findJsonProblems(text, ALLOWED_JSON_EXTENSIONS, JSON_CONSEQUENCE) ??
    findSchemaProblems(text, Hooks, JSON_CONSEQUENCE);
  return problems.length > 0 ? problems : findSchemaProblems(text, Groups, GROUP_CONSEQUENCE, "part");
}

type Node = AST.TOMLTable | AST.TOMLKeyValue;

const getNodeKeys = (node: Node): readonly (string | number)[] =>
  node.type === "TOMLTable"
    ? node.resolvedKey
    : node.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));

function getInnerNodes(node: Node): readonly Node[] {
  if (node.type === "TOMLTable") return node.body;
  return node.value.type === "TOMLInlineTable" ? node.value.body : [];
}

function findLineInNodes(nodes: readonly Node[], path: readonly string[]): number | undefined {
  for (const node of nodes) {
    const keys = getNodeKeys(node);
    if (keys.some((key, at) => key !== path[at])) continue;
    const remainingPath = path.slice(keys.length);
    const line = remainingPath.length === 0 ? node.loc.start.line : findLineInNodes(getInnerNodes(node), remainingPath);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Returns the line on which a TOML document sets a key, regardless of the TOML notation. */
const findLine = (text: string, path: readonly string[]): number | undefined =>
  findLineInNodes(parseTomlTree(text).body[0].body, path);

interface FeatureSwitch {
  value: unknown;
  path: string;
  /** The file and line of the setting. */
  location: string;
  /** The setting as written in the file. */
  words: string;
}

/**
 * Names of the hooks feature, newest first. Codex reads the older name only if the newer one is missing [seen 0.169.0,
 * 2026-11-22].
 */
const FEATURE_NAMES = ["hooks", "codex_hooks"];

/** Finds the first of the given feature switches that a file sets. */
function findFeatureSwitch(
  { path, text, document }: LoadedConfigFile,
  names: readonly string[] = FEATURE_NAMES,
): FeatureSwitch | undefined {
  const features = toObject(toObject(document).features);
  const name = names.find((candidate) => features[candidate] !== undefined);
  if (name === undefined) return undefined;
  const value = features[name];
  return {
    value,
    path,
    location: `${path}:${findLine(text, ["features", name]) ?? 1}`,
    words: `[features] ${name} = ${JSON.stringify(value)}`,
  };
}

const HOST = { id: "codex", name: "Codex" };

/**
 * Finds config that disables hooks, unless requirements.toml pins the feature. A pin applies to all hooks, managed or
 * not [seen 0.169.0, 2026-11-22].
 */
function findDisabledHooks(
  files: readonly LoadedConfigFile[],
  ourFiles: readonly LoadedConfigFile[],
  pin: FeatureSwitch | undefined,
): Finding[] {
  if (pin?.value === false)
    return [
      createRedFinding(
        "hooks-disabled",
        `${pin.location} pins ${pin.words}`,
        "Codex runs no hooks at all",
        "set the feature to true in that file",
      ),
    ];
  if (pin) return [];
  const filterByScope = (...scopes: LoadedConfigFile["scope"][]) =>
    scopes
      .flatMap((scope) => files.filter((file) => file.scope === scope && file.only !== "entries"))
      .flatMap((file) => findFeatureSwitch(file) ?? [])
      .at(0);
  // In a trusted project, the nearest config file takes precedence [seen 0.169.0, 2026-11-28].
  const [projectSwitch, userSwitch] = [filterByScope("project"), filterByScope("user", "system")];
  return [projectSwitch, userSwitch].flatMap((featureSwitch) =>
    featureSwitch?.value === false
      ? createRedFinding(
          "hooks-disabled",
          `${featureSwitch.location} sets ${featureSwitch.words}`,
          `${featureSwitch === projectSwitch ? "once it trusts the project, " : ""}Codex runs none of the entries in ${formatPaths(ourFiles)}`,
          `remove the setting from ${featureSwitch.path}, or pin hooks in requirements.toml with ${formatManagedInstall(HOST.id)}`,
        )
      : [],
  );
}

/**
 * Notes where config sets the `plugin_hooks` feature, which no longer has an effect; `plugins` replaces it [seen
 * 0.169.0, 2026-11-22: hooks/list].
 */
function findPluginSwitches({ files }: DoctorContext): Finding[] {
  return files.flatMap((file) => {
    const featureSwitch = findFeatureSwitch(file, ["plugin_hooks"]);
    if (!featureSwitch) return [];
    return createNote(
      "plugin-hooks",
      `${featureSwitch.location} sets ${featureSwitch.words}`,
      "the setting affects only plugin hooks, and Codex 0.169.0 ignores it: Codex lists the hooks of every enabled plugin",
      "remove the setting; to stop plugin hooks from running, disable the plugin, or set [features] plugins = false",
    );
  });
}

/**
 * Notes layers in which both config files contain hooks. Codex then runs both files' hooks and prints a warning at each
 * start [seen 0.169.0, 2026-11-22, in hooks/list and `codex exec`].
 */
function findSplitHooks({ files }: DoctorContext): Finding[] {
  const layers = Map.groupBy(
    files.filter(({ scope, document }) => scope !== "managed" && hasHooks(document)),
    ({ path }) => dirname(path),
  );
  return [...layers.values()].flatMap(([firstFile, secondFile]) =>
    firstFile && secondFile
      ? createNote(
          "two-representations",
          `${firstFile.path} and ${secondFile.path} both contain hooks`,
          "Codex runs the hooks of both files and warns on every start",
          "merge the hooks into one file (in config.toml, as [[hooks.PreToolUse]] tables); then uninstall and reinstall bridge-hooks",
        )
      : [],
  );
}

/**
 * Finds entries on Windows that deny by exit code, because PowerShell turns exit code 2 into 0 or 1 [unverified]. With
 * exit code 1, Codex runs the tool [seen 0.169.0, 2026-11-21].
 */
function findIgnoredExitCodes({ files, machine }: DoctorContext): Finding[] {
  if (machine.platform !== "win32") return [];
  const affectedFiles = files.filter(({ ownEntries }) =>
    ownEntries.some(({ command }) => !/ --codex-deny json( |$)/.test(command)),
  );
  return affectedFiles.map(({ path, scope }) =>
    createRedFinding(
      "exit-code-lost",
      `${path} has entries without --codex-deny json`,
      "the entries deny by exit code 2, which PowerShell turns into 0 or 1, so the call runs",
      `bridge-hooks install --host codex${scope === "user" ? "" : ` --scope ${scope}`}`,
    ),
  );
}

/** Finds config that keeps Codex from running our entries. */
function findConfigSwitches({ files }: DoctorContext): Finding[] {
  const ourFiles = files.filter((file) => file.ownEntries.length > 0);
  if (ourFiles.length === 0) return [];
  const requirements = files.filter(({ scope }) => scope === "managed");
  const managed = requirements.filter((file) => ourFiles.includes(file));
  const pin = requirements.map((file) => findFeatureSwitch(file)).find((featureSwitch) => featureSwitch !== undefined);
  const findings = findDisabledHooks(files, ourFiles, pin);
  if (pin === undefined && managed.length > 0)
    findings.push(reportUnpinnedHooks(HOST.id, managed, { key: "[features] hooks", by: "a trusted project" }));
  const restriction = requirements.find(({ document }) => toObject(document).allow_managed_hooks_only === true);
  if (restriction && managed.length === 0)
    findings.push(reportManagedHooksOnly(HOST, `${restriction.path} sets allow_managed_hooks_only`, ourFiles));
  return findings;
}

/**
 * Returns the shell that Codex uses: the one in the passwd entry, not $SHELL [seen 0.169.0]. Codex's fallback for an
 * unknown shell is unverified.
 */
function getLoginShell(): string {
  const shell = [userInfo().shell, "/bin/bash"].find(
    (path) => path && /^(ba|z|da|)sh$/.test(basename(path)) && existsSync(path),
  );
  return shell ?? "/bin/sh";
}

/** Codex adds neither environment variables nor a trailing newline [seen 0.169.0]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command, handler }, file, payload, machine) => {
  const common = { cwd: findCallRoot(file, machine), env: buildHostEnv(machine.env), stdin: payload };
  if (machine.platform !== "win32") return [{ argv: [getLoginShell(), "-c", command], ...common }];
  // Some releases use cmd.exe and others use PowerShell, but which ones use which is unknown [unverified].
  const line = typeof handler.commandWindows === "string" ? handler.commandWindows : command;
  return [
    { way: "cmd.exe", argv: [systemProgram("cmd"), "/d", "/s", "/c", line], ...common },
    { way: "PowerShell", argv: buildPowerShellArgv(line), ...common },
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
    findConfigSwitches,
    findPluginSwitches,
    findSplitHooks,
    findIgnoredExitCodes,
    examineTrust,
    notePluginEntries(HOST.name),
  ],
});
