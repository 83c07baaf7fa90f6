import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { findNodeAtLocation } from "jsonc-parser";
import * as v from "valibot";
import { words } from "../../core/command.ts";
import type { Payload } from "../../core/host.ts";
import type { Check, ConfigEntry, Examination, Finding, Flaw, FoundFile, Place, Result, Verdict } from "../../core/setup.ts";
import {
  complete,
  folderOf,
  isObject,
  named,
  note,
  objectOf,
  oldRows,
  oursIn,
  powershell,
  red,
  rootOf,
  rowIn,
  sampleOf,
} from "../check.ts";
import { type Allows, isPattern, jsonFlaws, jsonTree } from "../json.ts";
import { commandsOf } from "../setup.ts";
import { capabilities, unknown } from "./capabilities.ts";
import afterAgentResponse from "./fixtures/cursor-sdk-1.0.32/afterAgentResponse.json" with { type: "json" };
import afterAgentThought from "./fixtures/cursor-sdk-1.0.32/afterAgentThought.json" with { type: "json" };
import afterFileEdit from "./fixtures/cursor-sdk-1.0.32/afterFileEdit.json" with { type: "json" };
import afterMCPExecution from "./fixtures/cursor-sdk-1.0.32/afterMCPExecution.json" with { type: "json" };
import afterShellExecution from "./fixtures/cursor-sdk-1.0.32/afterShellExecution.json" with { type: "json" };
import beforeMCPExecution from "./fixtures/cursor-sdk-1.0.32/beforeMCPExecution.json" with { type: "json" };
import beforeReadFile from "./fixtures/cursor-sdk-1.0.32/beforeReadFile.json" with { type: "json" };
import beforeShellExecution from "./fixtures/cursor-sdk-1.0.32/beforeShellExecution.json" with { type: "json" };
import beforeSubmitPrompt from "./fixtures/cursor-sdk-1.0.32/beforeSubmitPrompt.json" with { type: "json" };
import postToolUse from "./fixtures/cursor-sdk-1.0.32/postToolUse.Shell.json" with { type: "json" };
import postToolUseFailure from "./fixtures/cursor-sdk-1.0.32/postToolUseFailure.Shell.json" with { type: "json" };
import preCompact from "./fixtures/cursor-sdk-1.0.32/preCompact.json" with { type: "json" };
import preToolUse from "./fixtures/cursor-sdk-1.0.32/preToolUse.Shell.json" with { type: "json" };
import sessionEnd from "./fixtures/cursor-sdk-1.0.32/sessionEnd.json" with { type: "json" };
import sessionStart from "./fixtures/cursor-sdk-1.0.32/sessionStart.json" with { type: "json" };
import stop from "./fixtures/cursor-sdk-1.0.32/stop.json" with { type: "json" };
import subagentStart from "./fixtures/cursor-sdk-1.0.32/subagentStart.json" with { type: "json" };
import subagentStop from "./fixtures/cursor-sdk-1.0.32/subagentStop.json" with { type: "json" };
import { setup } from "./setup.ts";

/** Other Tab events and workspaceOpen are the editor's alone: nobody has recorded them. */
const RECORDED: Readonly<Record<string, Payload>> = {
  afterAgentResponse,
  afterAgentThought,
  afterFileEdit,
  afterMCPExecution,
  afterShellExecution,
  beforeMCPExecution,
  beforeReadFile,
  // Of the same form [docs https://cursor.com/docs/hooks.md].
  beforeTabFileRead: { ...beforeReadFile, hook_event_name: "beforeTabFileRead" },
  beforeShellExecution,
  beforeSubmitPrompt,
  postToolUse,
  postToolUseFailure,
  preCompact,
  preToolUse,
  sessionEnd,
  sessionStart,
  stop,
  subagentStart,
  subagentStop,
};

/** What hooks.json may have beyond JSON [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const ALLOWS: Allows = { comments: true, trailingComma: false, bom: false };
const DROPS = "Cursor drops the whole file for it, silently";

/** What Cursor drops a whole file for [seen @cursor/sdk 1.0.32, 2026-11-21]. */
function flaws(text: string): Flaw[] {
  const found = jsonFlaws(text, ALLOWS).map((flaw) => ({ ...flaw, message: `${flaw.message}; ${DROPS}` }));
  const root = jsonTree(text);
  if (found.length > 0 || !root) return found;
  const at = (...path: (string | number)[]) => findNodeAtLocation(root, path)?.offset;
  const document = objectOf(Bun.JSONC.parse(text));
  return [
    ...(document.version === undefined ? [{ offset: 0, message: `"version" is missing (add "version": 1); ${DROPS}` }] : []),
    ...Object.entries(objectOf(document.hooks)).flatMap(([event, entries]): Flaw[] => [
      ...(Object.hasOwn(capabilities, event)
        ? []
        : [{ offset: at("hooks", event), message: `${JSON.stringify(event)} is no event that this release is known to have; ${DROPS}` }]),
      ...(Array.isArray(entries) ? entries : []).flatMap((entry, index) =>
        entryFlaws(objectOf(entry)).map(([key, message]) => ({ offset: at("hooks", event, index, key), message })),
      ),
    ]),
  ];
}

function entryFlaws({ timeout, matcher }: Payload): [key: string, message: string][] {
  const time = timeout === undefined || (typeof timeout === "number" && timeout > 0);
  const pattern = matcher === undefined || (typeof matcher === "string" && isPattern(matcher));
  return [
    ...(time ? [] : [["timeout", `"timeout" has to be a number of seconds above 0; ${DROPS}`] as [string, string]]),
    ...(pattern ? [] : [["matcher", `matcher ${JSON.stringify(matcher)} is no pattern; ${DROPS}`] as [string, string]]),
  ];
}

const HERE = "CURSOR_HOOK_EOF";

/** Piped in @cursor/sdk 1.0.26 and 1.0.32, as a here-document in 1.0.22 [seen 2026-11-21]; nobody knows which of them the editor does. */
const launches: Check["launches"] = ({ command }, file, payload, place) => {
  const version = /"cursor_version"\s*:\s*"([^"]*)"/.exec(payload)?.[1];
  const root = rootOf(file, place);
  const env = complete(place.env, {
    CURSOR_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
    ...(version && { CURSOR_VERSION: version }),
  });
  const start = (way: string, argv: string[], stdin: string) => ({ way, argv, cwd: folderOf(file), env, stdin });
  // [shipped @cursor/sdk 1.0.32; not run].
  if (place.platform === "win32")
    return [
      start("stdin", powershell(`& ${command}`), payload),
      start("here-document", powershell(`@'\n${payload}\n'@ | & ${command}`), ""),
    ];
  return [
    start("stdin", ["/bin/bash", "-lc", command], payload),
    start("here-document", ["/bin/bash", "-lc", `${command} <<'${HERE}'\n${payload}\n${HERE}`], ""),
  ];
};

const message = () => v.optional(v.string());
/** Of an answer, what a wrong type of makes it invalid; unknown keys are ignored [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const Answer = () => v.looseObject({ user_message: message(), agent_message: message() });
const permission = (...values: string[]) => v.looseObject({ ...Answer().entries, permission: v.optional(v.picklist(values)) });
/** They take "ask" for a broken answer, and block [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const NO_ASK = ["beforeReadFile", "beforeTabFileRead"];
const LIMIT = 10_000;

/** The document in a text: all of it, or else the last one at its end [seen @cursor/sdk 1.0.32, 2026-11-21]. */
function documentIn(stdout: string): unknown {
  const text = stdout.replace(/^\ufeff/, "").trim();
  const tried = (from: number): unknown => {
    try {
      return JSON.parse(text.slice(from));
    } catch {
      return undefined;
    }
  };
  let found = tried(0);
  if (!text.endsWith("}")) return found;
  for (let at = text.lastIndexOf("{"); found === undefined && at > 0; at = text.lastIndexOf("{", at - 1)) found = tried(at);
  return found;
}

const shapeOf = (native_event: string) => rowIn(capabilities, unknown, native_event).shape;

/** Why an answer is none, for the host; `blocks`: it blocks for safety, whatever the entry says. */
function faultOf(native_event: string, { stdout, exit_code }: Result, closed: boolean): { why: string; blocks?: true } | undefined {
  const shape = shapeOf(native_event);
  if (exit_code !== 0) return { why: exit_code === null ? "it was killed" : `it exited with code ${exit_code}` };
  // Without failClosed this counts as no opinion.
  if (stdout.trim() === "") return closed ? { why: "it printed nothing" } : undefined;
  const gate = shape === "permission" || shape === "any";
  const schema =
    shape !== "permission" ? Answer() : NO_ASK.includes(native_event) ? permission("allow", "deny") : permission("allow", "deny", "ask");
  const document = documentIn(stdout);
  const result = v.safeParse(schema, document);
  // A list is no object to Cursor.
  if (!result.success || !isObject(document))
    return { why: "its stdout is no document that Cursor takes", ...(gate && { blocks: true as const }) };
  const { additional_context } = result.output as Payload;
  const long = native_event === "preToolUse" && typeof additional_context === "string" && additional_context.length > LIMIT;
  return long && closed ? { why: `its additional_context is longer than ${LIMIT} characters` } : undefined;
}

function verdict(native_event: string, result: Result, handler: Payload): Verdict {
  const shape = shapeOf(native_event);
  const stops = shape === "permission" || shape === "continue" || shape === "any";
  // Whatever the document says [seen @cursor/sdk 1.0.32, 2026-11-21].
  if (result.exit_code === 2) return { kind: stops ? "denied" : "passed" };
  const closed = handler.failClosed === true && stops;
  const fault = faultOf(native_event, result, closed);
  if (fault) {
    const what = fault.blocks ? "blocks for safety" : closed ? "blocks because of failClosed" : "goes on as if there were no hook";
    return { kind: "broken", blocks: closed || fault.blocks === true, why: `${fault.why}, and Cursor ${what}` };
  }
  const answer = objectOf(documentIn(result.stdout));
  return { kind: denies(answer, shape) ? "denied" : "passed" };
}

function denies(answer: Payload, shape: ReturnType<typeof shapeOf>): boolean {
  switch (shape) {
    case "permission":
      return answer.permission === "deny";
    case "continue":
      return answer.continue === false;
    case "any":
      return answer.permission === "deny" || answer.continue === false;
    case "followup":
      return Boolean(answer.followup_message) || (answer.decision === "block" && Boolean(answer.reason));
    case "context":
    case "message":
    case "none":
      return false;
  }
}

/** A link on the way to the file, where that keeps Cursor from reading it. */
function linked(file: FoundFile): Finding[] {
  const { path, ours } = file;
  const link = [path, dirname(path)].find((one) => lstatSync(one, { throwIfNoEntry: false })?.isSymbolicLink());
  const refusal = setup.refuses_links?.(file);
  if (!link || !refusal || ours.length === 0) return [];
  const mend = `put the file itself at ${path}, and no link`;
  return [red("linked-config", `${link} is a link`, `${refusal}: the entries in it don't run`, mend)];
}

/** Events that Cursor takes over [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const IMPORTED = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop", "SessionStart", "SessionEnd", "PreCompact"];

function programOf({ command, args }: ConfigEntry, { platform, env }: Place): string | undefined {
  const program = args ? command : words(command, setup.dialect(platform), env)?.[0];
  try {
    return program && realpathSync(program);
  } catch {
    return program;
  }
}

/** Whether Cursor would run an entry of this file that starts one of the programs. */
function importsOurs(path: string, programs: ReadonlySet<string>, place: Place): boolean {
  try {
    const entries = commandsOf(Bun.JSONC.parse(readFileSync(path, "utf8")));
    // Without a matcher anywhere in it Cursor does not take the file for one of hooks [seen @cursor/sdk 1.0.32, 2026-11-21].
    if (entries.every(({ matcher }) => matcher === undefined)) return false;
    return entries.some((entry) => IMPORTED.includes(entry.native_event) && programs.has(programOf(entry, place) ?? ""));
  } catch {
    return false;
  }
}

/** Another host's settings with entries for our program that Cursor runs as well. */
function imports({ place, files }: Examination): Finding[] {
  const own = oursIn(files);
  const programs = new Set([realpathSync(process.execPath), ...own.flatMap(({ entry }) => programOf(entry, place) ?? [])]);
  const found = (setup.imports?.(place) ?? []).filter((path) => importsOurs(path, programs, place));
  return found.map((path) =>
    own.length > 0
      ? note(
          "imported-entries",
          `Cursor may run the entries in ${path} as well`,
          `those in ${named(own.map(({ file }) => file))} answer; the imported ones stand down, unless they deny, ask or rewrite`,
          "nothing; to run them once, turn off third-party configs in Cursor's settings",
        )
      : note(
          "imported-entries",
          `Cursor has no entry of its own for bridge-hooks, but may run those in ${path}`,
          "they answer in Cursor's format; a crash lets the call pass, because Cursor drops their onFailure",
          "bridge-hooks install --host cursor",
        ),
  );
}

export const check: Check = {
  flaws,
  sample: (native_event, subject) => sampleOf(RECORDED, native_event, subject),
  launches,
  verdict,
  examine: async (examination) => [
    ...examination.files.flatMap(linked),
    ...imports(examination),
    ...oldRows(capabilities, examination.version),
  ],
};
