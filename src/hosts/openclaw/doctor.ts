import { lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import type { DoctorContext, Finding, LoadedConfigFile } from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { openclaw } from "../entries.ts";
import { defineDoctor, readSettings, reportLink } from "../setup/checks.ts";
import { createNote, createRedFinding } from "../setup/findings.ts";
import { listPluginLaunches } from "../setup/launches.ts";
import { findModuleProblems } from "../setup/plugin-module.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { getConfigPath, setup } from "./install.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

const ID = openclaw.plugin;

/**
 * Finds settings that silently disable the plugin, so that OpenClaw runs every call [seen 2026.9.6, 2026-11-22].
 * `install` never changes these settings.
 */
function findPluginSwitchesOff(path: string): Finding[] {
  const { enabled, deny } = toObject(readSettings(path).plugins);
  const impact = `OpenClaw does not load ${ID}, so none of its calls are guarded`;
  return [
    ...(enabled === false
      ? [
          createRedFinding(
            "plugins-disabled",
            `${path} sets plugins.enabled to false`,
            impact,
            `set plugins.enabled to true in ${path}`,
          ),
        ]
      : []),
    ...(Array.isArray(deny) && deny.includes(ID)
      ? [
          createRedFinding(
            "plugin-denied",
            `${path} lists ${ID} in plugins.deny`,
            impact,
            `remove ${ID} from that list`,
          ),
        ]
      : []),
  ];
}

/**
 * Finds reasons why OpenClaw would not trust the plugin's file or directory [shipped 2026.9.6; seen 2026-11-22]. Not
 * checked on Windows.
 */
function findUnsafePluginFile(file: LoadedConfigFile): Finding[] {
  const { path } = file;
  if (process.platform === "win32") return [];
  const uid = process.getuid?.();
  const impact = "OpenClaw skips the plugin, so its calls are not guarded";
  const issues = [dirname(path), path].flatMap((candidate) => {
    const stats = orAbsent(() => statSync(candidate));
    // The plugin is not installed.
    if (!stats) return [];
    const { mode, uid: owner } = stats;
    if (mode & 0o002)
      return [
        createRedFinding("plugin-writable", `anyone can write to ${candidate}`, impact, `chmod o-w ${candidate}`),
      ];
    if (owner === 0 || owner === uid) return [];
    return [
      createRedFinding(
        "plugin-owner",
        `${candidate} belongs to another user (${owner})`,
        impact,
        `chown ${uid} ${candidate}`,
      ),
    ];
  });
  if (!orAbsent(() => lstatSync(path))?.isSymbolicLink()) return issues;
  return [reportLink("linked-plugin", path, String(setup.explainLinkRefusal?.(file))), ...issues];
}

/**
 * Adds a note about the Codex harness, in which Codex itself runs the calls [shipped 2026.9.6: docs
 * plugins/codex-harness-runtime/hooks; not run].
 */
function noteCodexHarness(path: string): Finding[] {
  const { codex } = toObject(toObject(readSettings(path).plugins).entries);
  const { enabled, config } = toObject(codex);
  const { mode, approvalPolicy = mode === "guardian" ? "on-request" : "never" } = toObject(toObject(config).appServer);
  if (codex === undefined || enabled === false || approvalPolicy !== "never") return [];
  return [
    createNote(
      "codex-harness",
      `${path} configures the Codex harness with approvalPolicy "never"`,
      "a hook can deny calls that Codex runs itself, but can't rewrite them or ask, because Codex doesn't request approval",
      'deny these calls, or set plugins.entries.codex.config.appServer.mode to "guardian"',
    ),
  ];
}

function examineEntries({ machine, files }: DoctorContext): Finding[] {
  const ourFiles = files.filter((file) => file.ownEntries.length > 0);
  const { OPENCLAW_PROFILE: profile, OPENCLAW_STATE_DIR: state } = machine.env;
  const otherFolder =
    profile && !state
      ? [
          createNote(
            "profile",
            `OPENCLAW_PROFILE is ${profile}`,
            `OpenClaw may use a directory other than ${openclaw.folders.user(machine)}, and that directory lacks the plugin`,
            "set OPENCLAW_STATE_DIR to the directory that OpenClaw uses, and run doctor again",
          ),
        ]
      : [];
  const findings =
    ourFiles.length > 0
      ? [...findPluginSwitchesOff(getConfigPath(machine)), ...ourFiles.flatMap(findUnsafePluginFile)]
      : [];
  const codex = ourFiles.length > 0 ? noteCodexHarness(getConfigPath(machine)) : [];
  const execNote = createNote(
    "agent-exec",
    "openclaw agent exec calls hooks only for tool calls",
    "hooks then get no prompt, session, result or Stop events; with --isolated or --auth-env-only, they get no events at all",
    "none needed if tool calls are enough; otherwise use openclaw agent --local or the gateway",
  );
  return [...findings, ...(ourFiles.length > 0 ? [execNote] : []), ...codex, ...otherFolder];
}

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems: findModuleProblems,
  listLaunches: listPluginLaunches,
  judgeAnswer,
  checks: [examineEntries],
});
