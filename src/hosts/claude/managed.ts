import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Payload } from "../../protocol/host/host.ts";
import type { ConfigEntry, DoctorContext, Finding, MachineContext } from "../../protocol/host/install.ts";
import { isObject, parseJsonObject, toObject } from "../../protocol/object.ts";
import { claude } from "../entries.ts";
import { findProgram, systemProgram } from "../find-program.ts";
import { readOutput } from "../run-program.ts";
import { listManagedFiles } from "../setup/checks.ts";
import { collectEntries } from "../setup/entries.ts";
import { createNote, createRedFinding, formatPaths, listOurEntries } from "../setup/findings.ts";

/** A source of managed settings outside Claude Code's own settings files. */
interface ManagedSource {
  name: string;
  /** Settings from this source; empty if the source can't be read. */
  document: Payload;
}

/**
 * Returns a system program's output, or an empty string if the program fails or is missing. Tries the program's fixed
 * path first, since a project could put another program with the same name on PATH.
 */
function readProgramOutput(machine: MachineContext, program: string, args: readonly string[]): string {
  const systemPath = machine.platform === "win32" ? systemProgram(program) : `/usr/bin/${program}`;
  const path = existsSync(systemPath)
    ? systemPath
    : findProgram(program, { roots: machine.roots, path: machine.env.PATH ?? machine.env.Path ?? "" });
  if (!path) return "";
  const { stdout, exit_code } = readOutput({ argv: [path, ...args], env: machine.env, timeout: 1_500 });
  return exit_code === 0 ? stdout : "";
}

/**
 * Reads the preferences that device management sets [shipped 2.1.330 and docs https://code.claude.com/docs/en/settings;
 * not run].
 */
function readPreferences(machine: MachineContext): ManagedSource[] {
  const folder = `${machine.system ?? ""}/Library/Managed Preferences`;
  return [`${folder}/${basename(machine.home)}`, folder].flatMap((path) => {
    const name = `${path}/${claude.preferences.domain}.plist`;
    return existsSync(name)
      ? [
          {
            name,
            document:
              parseJsonObject(readProgramOutput(machine, "plutil", ["-convert", "json", "-o", "-", name])) ?? {},
          },
        ]
      : [];
  });
}

/**
 * Reads the policy from the Windows registry [shipped 2.1.330 and docs https://code.claude.com/docs/en/settings; not
 * run].
 */
function readRegistryPolicy(machine: MachineContext, hive: "HKLM" | "HKCU"): ManagedSource[] {
  const name = `${hive}\\${claude.preferences.registryKey}`;
  const value = /\bSettings\s+REG_(?:EXPAND_)?SZ\s+(.*)/.exec(
    readProgramOutput(machine, "reg", ["query", name, "/v", "Settings"]),
  )?.[1];
  return value === undefined ? [] : [{ name, document: parseJsonObject(value) ?? {} }];
}

/**
 * Finds managed sources in order of precedence. Only the first one applies, unless it sets
 * `managedSourcesBehavior: "merge"`.
 */
function findManagedSources({ machine, files }: DoctorContext) {
  const devicePolicy =
    machine.platform === "darwin"
      ? readPreferences(machine)
      : machine.platform === "win32"
        ? readRegistryPolicy(machine, "HKLM")
        : [];
  const managedFiles = files.filter(
    ({ scope, document }) => scope === "managed" && Object.keys(toObject(document)).length > 0,
  );
  const userPolicy = machine.platform === "win32" ? readRegistryPolicy(machine, "HKCU") : [];
  return { devicePolicy: devicePolicy[0], managedFiles, userPolicy: userPolicy[0] };
}

const getEntryKey = ({ command, args }: ConfigEntry) => JSON.stringify([command, args]);

/**
 * Returns the settings key of a helper program whose output replaces the managed settings. If `policyHelper` fails,
 * Claude Code doesn't start [shipped 2.1.332; `policyHelper` and `policyHelpers.linux` seen 2.1.332, 2026-11-28].
 */
function findPolicyHelper({ policyHelper, policyHelpers }: Payload, platform: NodeJS.Platform): string | undefined {
  const name = { darwin: "macos", win32: "windows" }[platform as string] ?? "linux";
  const { path, script, outputBehavior } = toObject(toObject(policyHelpers)[name]);
  // `policyHelpers` takes precedence over `policyHelper`, and its output can be merged with the source instead of
  // replacing it.
  if (path !== undefined || script !== undefined)
    return outputBehavior === "merge" ? undefined : `policyHelpers.${name}`;
  return isObject(policyHelper) ? "policyHelper" : undefined;
}

export interface ManagedSettings {
  findings: Finding[];
  /** Documents from the effective managed source and any sources merged into it. */
  documents: Payload[];
  name: string;
}

/** Determines which managed settings apply and whether they contain our entries. */
export function examineManagedSettings(examination: DoctorContext): ManagedSettings {
  const { devicePolicy, managedFiles, userPolicy } = findManagedSources(examination);
  const winner = devicePolicy ?? (managedFiles.length > 0 ? undefined : userPolicy);
  const mergesSources = winner === devicePolicy && devicePolicy?.document.managedSourcesBehavior === "merge";
  const usedFiles = !winner || mergesSources ? managedFiles : [];
  const name = [winner?.name, formatPaths(usedFiles)].filter(Boolean).join(", ");
  if (!name) return { findings: [], documents: [], name };
  const documents = [...(winner ? [winner.document] : []), ...usedFiles.map(({ document }) => toObject(document))];
  const effectiveKeys = new Set(documents.flatMap((document) => collectEntries(document, "groups").map(getEntryKey)));
  const ignoredEntries = listOurEntries(managedFiles).filter(({ entry }) => !effectiveKeys.has(getEntryKey(entry)));
  const findings =
    ignoredEntries.length > 0
      ? createRedFinding(
          "managed-shadowed",
          `managed settings come from ${name}, and bridge-hooks' entries are in ${formatPaths(ignoredEntries.map(({ file }) => file))}`,
          "Claude Code uses only the managed source with the highest precedence, so these entries are ignored",
          `add the entries to ${name} as in the enterprise pack, remove that source, or set "managedSourcesBehavior": "merge" in it`,
        )
      : createNote(
          "managed-source",
          `managed settings come from ${name}`,
          "lower-precedence sources are ignored; settings from the claude.ai console would override this source, and doctor can't read them",
          "none needed if you manage this source",
        );
  return { findings: [findings, ...findHelperProblems(documents, name, examination)], documents, name };
}

/** Reports a helper program whose output replaces our managed entries. */
function findHelperProblems(documents: readonly Payload[], name: string, { machine, files }: DoctorContext): Finding[] {
  const helper = documents.map((document) => findPolicyHelper(document, machine.platform)).find(Boolean);
  const managed = listManagedFiles(files);
  if (!helper || managed.length === 0) return [];
  return [
    createRedFinding(
      "managed-helper",
      `${name} sets ${helper}, which computes the managed settings at each start`,
      `the helper's output replaces the entries in ${formatPaths(managed)}; doctor can't check this output`,
      'make the helper print the same hooks, or list it in policyHelpers with "outputBehavior": "merge"',
    ),
  ];
}
