import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import * as v from "valibot";
import type {
  ConfigEntry,
  ConfigProblem,
  DoctorContext,
  Finding,
  HostDoctor,
  LoadedConfigFile,
} from "../../protocol/host/install.ts";
import { defineDoctor, noteImportedEntries, reportLink } from "../setup/checks.ts";
import { createRedFinding, listOurEntries } from "../setup/findings.ts";
import { findJsonProblems, findSchemaProblems, isValidMatcher } from "../setup/json-problems.ts";
import { buildPowerShellArgv, buildHostEnv, findCallRoot, getConfigFolder } from "../setup/launches.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { setup } from "./install.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

/**
 * Which JSON extensions Cursor accepts. It ignores the whole file if the file contains another extension or an invalid
 * value [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22].
 */
const JSON_EXTENSIONS = { comments: true, trailingComma: false, bom: false };
const FILE_CONSEQUENCE = "Cursor silently ignores the whole file";

const Entry = v.pipe(
  v.looseObject({
    command: v.optional(v.string()),
    type: v.optional(v.string()),
    timeout: v.optional(v.pipe(v.number("must be a number of seconds"), v.gtValue(0, "must be greater than 0"))),
    matcher: v.optional(v.pipe(v.string(), v.check(isValidMatcher, "not a valid pattern"))),
    failClosed: v.optional(v.boolean()),
  }),
  v.check(({ type, command }) => type === "prompt" || command !== undefined, "a command is missing"),
);
const knownEventCheck = v.check(
  (event: string) => Object.hasOwn(capabilities, event),
  "not an event in any known release",
);
const Hooks = v.looseObject(
  {
    version: v.pipe(v.number(), v.integer(), v.minValue(1)),
    hooks: v.optional(v.record(v.pipe(v.string(), knownEventCheck), v.array(Entry))),
  },
  '"version": 1 is missing',
);

/** Finds problems that keep Cursor from applying a hooks.json as written. */
export const findConfigProblems = (text: string): ConfigProblem[] =>
  findJsonProblems(text, JSON_EXTENSIONS, FILE_CONSEQUENCE) ?? findSchemaProblems(text, Hooks, FILE_CONSEQUENCE);

/** Finds symbolic links that keep Cursor from reading a config file. */
function findLinkedFiles(file: LoadedConfigFile): Finding[] {
  const { path, ownEntries } = file;
  const link = [path, dirname(path)].find((candidate) => orAbsent(() => lstatSync(candidate))?.isSymbolicLink());
  const refusal = setup.explainLinkRefusal?.(file);
  if (!link || !refusal || ownEntries.length === 0) return [];
  return [reportLink("linked-config", link, `${refusal}, so its entries don't run`, path)];
}

/** Claude Code events that Cursor imports [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const IMPORTED_EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
];

/**
 * Selects the entries that Cursor imports from Claude Code's files. If no entry has a matcher, it imports none of them
 * [seen @cursor/sdk 1.0.32, 2026-11-21].
 */
const selectImportedEntries = (entries: ConfigEntry[]) =>
  entries.some(({ matcher }) => matcher !== undefined)
    ? entries.filter(({ native_event }) => IMPORTED_EVENTS.includes(native_event))
    : [];

const noteImports = (examination: DoctorContext) =>
  noteImportedEntries(examination, {
    ...{ id: "cursor", name: "Cursor", setup, verb: "may run", selectImported: selectImportedEntries },
    answers: "the entries answer in Cursor's format; after a crash the call runs, because Cursor ignores onFailure",
    describeFix: () => "none needed; to run them only once, turn off third-party configs in Cursor's settings",
  });

/**
 * Events introduced in 2.4.0 and in the CLI release of the same day [docs https://cursor.com/changelog/2-4; the last
 * six unverified].
 */
const EVENTS_SINCE_2_4 = [
  ...["preToolUse", "postToolUse"],
  ...["postToolUseFailure", "sessionStart", "sessionEnd", "subagentStart", "subagentStop", "workspaceOpen"],
];

/**
 * Finds installed releases that would ignore the whole file because they don't support one of its events [seen with
 * another name @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22].
 */
function findOutdatedReleases({ files, releases = [] }: DoctorContext): Finding[] {
  const events = [...new Set(listOurEntries(files).map(({ entry }) => entry.native_event))].filter((event) =>
    EVENTS_SINCE_2_4.includes(event),
  );
  if (events.length === 0) return [];
  return releases.flatMap((release) => {
    const [major = 0, minor = 0, patch = 0] = release.split(/[.-]/).map(Number);
    // The CLI's version numbers are dates.
    const firstRelease = major > 2000 ? "2026.1.22" : "2.4.0";
    if (Bun.semver.order(`${major}.${minor}.${patch}`, firstRelease) >= 0) return [];
    return createRedFinding(
      "old-release",
      `Cursor ${release} does not support ${events.join(", ")}, introduced in ${firstRelease}`,
      "Cursor ignores a hooks.json that contains an unknown event, so no calls are guarded",
      "update Cursor, or reinstall with --event beforeShellExecution --event beforeMCPExecution --event beforeReadFile",
    );
  });
}

const HERE_DOCUMENT_DELIMITER = "CURSOR_HOOK_EOF";

/**
 * Launches an entry in two ways: with the payload on stdin, as @cursor/sdk 1.0.26 and 1.0.32 do, and with the payload
 * in a here-document, as 1.0.22 does [seen 2026-11-21]. Which one the editor uses is unknown.
 */
const listLaunches: HostDoctor["listLaunches"] = ({ command }, file, payload, machine) => {
  const [, cursor_version] = /"cursor_version"\s*:\s*"([^"]*)"/.exec(payload) ?? [];
  const root = findCallRoot(file, machine);
  const env = buildHostEnv(machine.env, scriptCodec.buildScriptEnv(root, { cursor_version }));
  const start = (way: string, argv: string[], stdin: string) => ({ way, argv, cwd: getConfigFolder(file), env, stdin });
  // The command lines used on Windows [shipped @cursor/sdk 1.0.32; not run].
  if (machine.platform === "win32")
    return [
      start("stdin", buildPowerShellArgv(`& ${command}`), payload),
      start("here-document", buildPowerShellArgv(`@'\n${payload}\n'@ | & ${command}`), ""),
    ];
  return [
    start("stdin", ["/bin/bash", "-lc", command], payload),
    start(
      "here-document",
      ["/bin/bash", "-lc", `${command} <<'${HERE_DOCUMENT_DELIMITER}'\n${payload}\n${HERE_DOCUMENT_DELIMITER}`],
      "",
    ),
  ];
};

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems,
  listLaunches,
  judgeAnswer,
  checks: [({ files }) => files.flatMap(findLinkedFiles), findOutdatedReleases, noteImports],
});
