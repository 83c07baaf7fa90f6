import { dirname, relative } from "node:path";
import type {
  ConfigEntry,
  ConfigProblem,
  DoctorContext,
  Finding,
  HostDoctor,
  LoadedConfigFile,
  MachineContext,
} from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { gemini } from "../entries.ts";
import { resolveSymbolicLinks } from "../follow-links.ts";
import { defineDoctor, isChangeableByOthers } from "../setup/checks.ts";
import { readConfigText } from "../setup/entries.ts";
import { createNote, createRedFinding, formatPaths, listOurEntries } from "../setup/findings.ts";
import {
  findDisabledHooks,
  findHarmfulVariables,
  findMovedSettings,
  findSettingsProblems,
} from "../setup/hook-settings.ts";
import { createShellLauncher } from "../setup/launches.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

/** Gemini CLI does not start if any of its files uses one of these JSON syntax extensions [seen 0.61.0, 2026-11-22]. */
const ALLOWED_JSON_EXTENSIONS = { comments: true, trailingComma: false, bom: false };

/**
 * Finds the problems that would keep Gemini CLI from applying a settings.json as written. Gemini CLI skips invalid
 * hooks, with or without a warning [seen 0.61.0, 2026-11-22].
 */
export const findConfigProblems = (text: string): ConfigProblem[] =>
  findSettingsProblems(text, {
    name: "Gemini CLI",
    extensions: ALLOWED_JSON_EXTENSIONS,
    consequence: "Gemini CLI doesn't start with this file",
    types: ["command", "plugin", "runtime"],
  });

const getHooksConfig = ({ document }: LoadedConfigFile) => toObject(toObject(document).hooksConfig);

/**
 * Finds entries listed in `hooksConfig.disabled`, by name or, for entries without a name, by command. Gemini CLI
 * combines the lists from all files [seen 0.61.0, 2026-11-22].
 */
function findDisabledEntries(files: readonly LoadedConfigFile[]): Finding[] {
  const getName = ({ handler, command }: ConfigEntry) =>
    typeof handler.name === "string" && handler.name ? handler.name : command;
  const names = new Map(listOurEntries(files).map(({ entry, file }) => [getName(entry), file]));
  return files.flatMap((file) => {
    const { disabled: list } = getHooksConfig(file);
    const name = Array.isArray(list) && list.find((candidate) => names.has(candidate));
    const impact = `entries with this name don't run: ${formatPaths(listOurEntries(files).map((entry) => entry.file))}`;
    return name
      ? [
          createRedFinding(
            "entry-disabled",
            `${file.path} disables "${name}"`,
            impact,
            `remove the name from hooksConfig.disabled in ${file.path}`,
          ),
        ]
      : [];
  });
}

/** Whether the user trusts a directory. The longest matching rule applies [shipped 0.61.0]. */
function getFolderTrust(
  folder: string,
  machine: MachineContext,
  files: readonly LoadedConfigFile[],
): "yes" | "no" | "unknown" {
  const {
    GEMINI_CLI_TRUST_WORKSPACE: trustVariable,
    GEMINI_RESTRICTED_MODE,
    GEMINI_CLI_TRUSTED_FOLDERS_PATH,
  } = machine.env;
  if (trustVariable === "false" || GEMINI_RESTRICTED_MODE === "true") return "no";
  const readFolderTrustSwitch = (scope: LoadedConfigFile["scope"]) =>
    files
      .filter((file) => file.scope === scope)
      .map(({ document }) => toObject(toObject(toObject(document).security).folderTrust).enabled)
      .find((value) => typeof value === "boolean");
  // A project can't change the folder trust setting.
  if (
    trustVariable === "true" ||
    (readFolderTrustSwitch("managed") ?? readFolderTrustSwitch("user") ?? readFolderTrustSwitch("system")) === false
  )
    return "yes";
  const path = GEMINI_CLI_TRUSTED_FOLDERS_PATH || `${gemini.folders.user(machine)}/trustedFolders.json`;
  let rules: [string, unknown][];
  try {
    rules = Object.entries(toObject(Bun.JSONC.parse(readConfigText(path))));
  } catch {
    return "unknown";
  }
  const matchingRules = rules.filter(([rule, level]) => {
    const relativePath = relative(
      resolveSymbolicLinks(level === "TRUST_PARENT" ? dirname(rule) : rule),
      resolveSymbolicLinks(folder),
    );
    return (
      relativePath !== ".." &&
      !relativePath.startsWith("../") &&
      !relativePath.startsWith("..\\") &&
      !/^([A-Za-z]:|\/)/.test(relativePath)
    );
  });
  const [, level] = matchingRules.sort(([left], [right]) => right.length - left.length)[0] ?? [];
  return level === "DO_NOT_TRUST" ? "no" : level === undefined ? "unknown" : "yes";
}

/**
 * Finds project roots that the user has not trusted. No hooks run in an untrusted directory, not even managed ones
 * [seen 0.61.0, 2026-11-22].
 */
const findUntrustedFolders = ({ machine, files }: DoctorContext): Finding[] =>
  machine.roots.flatMap((root) => {
    const isTrusted = getFolderTrust(root, machine, files);
    const fix = `start gemini in ${root} and trust the folder there (/permissions)`;
    if (isTrusted === "no")
      return [
        createRedFinding(
          "untrusted",
          `${root} is not trusted in Gemini CLI`,
          "Gemini CLI runs no hooks there, not even managed ones",
          fix,
        ),
      ];
    const impact =
      "Gemini CLI asks for trust and runs no hooks until the user grants it; in headless mode, Gemini CLI doesn't start";
    return isTrusted === "unknown"
      ? [createNote("untrusted", `Gemini CLI has no trust decision for ${root}`, impact, fix)]
      : [];
  });

/**
 * Finds system settings that Gemini CLI skips because users other than root can change the file or a parent directory
 * [shipped 0.61.0].
 */
function findInsecureSystemSettings({ machine, files }: DoctorContext): Finding[] {
  if (machine.platform === "win32" || machine.system) return [];
  return files.flatMap(({ scope, path, ownEntries }) => {
    if (scope !== "managed" || ownEntries.length === 0) return [];
    const listAncestors = (folder: string): string[] =>
      dirname(folder) === folder ? [folder] : [folder, ...listAncestors(dirname(folder))];
    const changeablePath = listAncestors(path).find(isChangeableByOthers);
    const impact = "Gemini CLI skips the file with a warning, so its entries don't run";
    return changeablePath
      ? [
          createRedFinding(
            "managed-insecure",
            `users other than root can change ${changeablePath}`,
            impact,
            `chown root ${changeablePath} && chmod go-w ${changeablePath}`,
          ),
        ]
      : [];
  });
}

/** Runs the checks that only matter if entries exist. */
function examineEntries(examination: DoctorContext): Finding[] {
  const ourFiles = examination.files.filter((file) => file.ownEntries.length > 0);
  if (ourFiles.length === 0) return [];
  return [
    // The settings file with the highest precedence decides whether hooks run [seen 0.61.0, 2026-11-22; system-defaults
    // shipped 0.61.0].
    ...findDisabledHooks(examination, {
      ...{ id: "gemini", name: "Gemini CLI", key: "hooksConfig.enabled", on: true },
      readValue: ({ hooksConfig }) => toObject(hooksConfig).enabled,
      by: "a trusted project or a user",
    }),
    ...findDisabledEntries(examination.files),
    ...findUntrustedFolders(examination),
    // Gemini CLI reads only the first .env file that exists [seen 0.61.0, 2026-11-22].
    ...findHarmfulVariables(examination, (root) => [`${root}/.gemini/.env`, `${root}/.env`]),
    ...findMovedSettings(examination, "Gemini CLI", "GEMINI_CLI_SYSTEM_SETTINGS_PATH"),
    ...findInsecureSystemSettings(examination),
  ];
}

const launch = createShellLauncher(scriptCodec);
/**
 * Launches an entry in a shell. The entry's own variables take precedence [seen 0.61.0, 2026-11-22; the command line
 * for Windows shipped 0.61.0, not run].
 */
const listLaunches: HostDoctor["listLaunches"] = (entry, file, payload, machine) => {
  const exitSuffix = "; if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }";
  const command = machine.platform === "win32" ? `${entry.command}${exitSuffix}` : entry.command;
  return launch({ ...entry, command }, file, payload, machine);
};

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems,
  listLaunches,
  judgeAnswer,
  checks: [examineEntries],
});
