import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { DoctorContext, Finding, LoadedConfigFile } from "../../protocol/host/install.ts";
import { isObject, toObject } from "../../protocol/object.ts";
import { orAbsent } from "../../system/errors.ts";
import { pi } from "../entries.ts";
import { defineDoctor, readOptionalText, readSettings } from "../setup/checks.ts";
import { listFolder } from "../setup/define-setup.ts";
import { createNote, createRedFinding } from "../setup/findings.ts";
import { listPluginLaunches } from "../setup/launches.ts";
import { findModuleProblems } from "../setup/plugin-module.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

const IMPACT = "pi does not load the extension, so none of its calls are guarded";

/**
 * Finds a manifest or index module for the directory. If there is one, pi loads no other extension from the directory
 * [seen 1.5.2, 2026-11-29].
 */
function findRootModule(folder: string): string | undefined {
  const manifest = join(folder, "package.json");
  const { extensions } = toObject(readSettings(manifest).pi);
  if (Array.isArray(extensions) && extensions.some((extension) => existsSync(resolve(folder, String(extension)))))
    return manifest;
  return ["index.ts", "index.js"].map((name) => join(folder, name)).find(existsSync);
}

function findHiddenFile({ path }: LoadedConfigFile): Finding[] {
  const module = findRootModule(dirname(path));
  return module === undefined
    ? []
    : [
        createRedFinding(
          "extension-hidden",
          `${module} is loaded in place of its whole directory, so pi loads no other extension from there`,
          IMPACT,
          `move ${module} into its own directory below ${dirname(path)}`,
        ),
      ];
}

/** Finds ignore files that exclude our extension. They use .gitignore syntax [seen 1.5.2, 2026-11-29]. */
const findIgnoringFile = ({ path }: LoadedConfigFile): Finding[] =>
  [".gitignore", ".ignore", ".fdignore"]
    .map((name) => join(dirname(path), name))
    .filter((file) => matchesLast(readOptionalText(file).split(/\r?\n/), path))
    .map((file) =>
      createRedFinding(
        "extension-ignored",
        `${file} excludes ${basename(path)}`,
        IMPACT,
        `remove the line from ${file}`,
      ),
    );

/** Whether the last pattern that matches a file excludes it. */
function matchesLast(lines: readonly string[], path: string): boolean {
  let isExcluded = false;
  for (const line of lines) {
    const text = line.trim();
    const pattern = text.replace(/^!/, "").replace(/^(?:\*\*)?\//, "");
    if (text && !text.startsWith("#") && matchesPattern(pattern, path)) isExcluded = !text.startsWith("!");
  }
  return isExcluded;
}

const matchesPattern = (pattern: string, path: string) => {
  const glob = new Bun.Glob(pattern);
  const folder = dirname(dirname(path));
  return [basename(path), path.slice(folder.length + 1), path].some((name) => glob.match(name));
};

/** Finds patterns in the settings that exclude our extension, applying them in pi's order [seen 1.5.2, 2026-11-29]. */
function findExcludingSettings({ path }: LoadedConfigFile): Finding[] {
  const file = join(dirname(dirname(path)), "settings.json");
  const { extensions } = readSettings(file);
  const patterns = (Array.isArray(extensions) ? extensions : []).map(String);
  const listFitting = (prefix: string) =>
    patterns.filter(
      (pattern) => pattern.startsWith(prefix) && matchesPattern(pattern.slice(1).replace(/^\.\//, ""), path),
    );
  const forcedPatterns = listFitting("-");
  const excludingPatterns =
    forcedPatterns.length > 0 || listFitting("+").length > 0 ? forcedPatterns : listFitting("!");
  return excludingPatterns.map((pattern) =>
    createRedFinding(
      "extension-excluded",
      `${file} has "${pattern}" in extensions`,
      IMPACT,
      `remove the pattern from ${file}`,
    ),
  );
}

/** Returns the trust decision saved for a directory or its nearest ancestor [shipped 1.5.2]. */
function readTrust(folder: string, savedDecisions: Record<string, unknown>): boolean | undefined {
  const decision = savedDecisions[folder];
  if (typeof decision === "boolean") return decision;
  return dirname(folder) === folder ? undefined : readTrust(dirname(folder), savedDecisions);
}

/** Whether pi trusts a project's extensions without asking; undefined if it would ask. */
function isTrusted(root: string, folder: string): boolean | undefined {
  const savedDecisions = readSettings(join(folder, "trust.json"));
  const { defaultProjectTrust } = readSettings(join(folder, "settings.json"));
  const defaultTrust = { always: true, never: false }[String(defaultProjectTrust)];
  return (
    readTrust(orAbsent(() => realpathSync(root)) ?? root, isObject(savedDecisions) ? savedDecisions : {}) ??
    defaultTrust
  );
}

function findUntrustedProject({ path }: LoadedConfigFile, folder: string): Finding[] {
  const root = dirname(dirname(dirname(path)));
  if (isTrusted(root, folder) === true) return [];
  return [
    createRedFinding(
      "project-untrusted",
      `pi does not trust ${root}, and ${path} is an extension in this project`,
      "pi silently skips the project's extensions if it can't ask (-p, --mode json or rpc) or if the answer is no",
      `start pi in ${root} and run /trust, or install for the user`,
    ),
  ];
}

/** Adds a note about other extensions, because they can change a call that our hooks allowed. */
function noteOtherExtensions(ourFiles: readonly LoadedConfigFile[]): Finding[] {
  const otherExtensions = ourFiles.flatMap(({ path }) =>
    listFolder(dirname(path))
      .filter((name) => name !== basename(path) && !name.startsWith(".") && name !== "node_modules")
      .map((name) => join(dirname(path), name)),
  );
  return otherExtensions.length === 0
    ? []
    : [
        createNote(
          "other-extensions",
          `pi also loads other extensions: ${otherExtensions.join(", ")}`,
          "an extension may change a call after the hooks allowed it, or handle an event before the hooks are called",
          "none needed if you trust them",
        ),
      ];
}

function examineFiles({ machine, files }: DoctorContext): Finding[] {
  const ourFiles = files.filter((file) => file.ownEntries.length > 0);
  return [
    ...ourFiles.flatMap((file) => [...findHiddenFile(file), ...findIgnoringFile(file), ...findExcludingSettings(file)]),
    ...ourFiles
      .filter(({ scope }) => scope === "project")
      .flatMap((file) => findUntrustedProject(file, pi.folders.user(machine))),
    ...noteOtherExtensions(ourFiles),
  ];
}

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems: findModuleProblems,
  listLaunches: listPluginLaunches,
  judgeAnswer,
  checks: [examineFiles],
});
