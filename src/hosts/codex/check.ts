import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { basename } from "node:path";
import { findNodeAtLocation, type Node } from "jsonc-parser";
import { ParseError, parseTOML } from "toml-eslint-parser";
import * as v from "valibot";
import type { Payload } from "../../core/host.ts";
import type { Check, Flaw, Result, Verdict } from "../../core/setup.ts";
import { complete, isObject, objectOf, powershell, rootOf, rowIn, sampleOf } from "../check.ts";
import { type Allows, isPattern, jsonFlaws, jsonTree } from "../json.ts";
import { capabilities, unknown } from "./capabilities.ts";
import Interrupt from "./fixtures/codex-0.169.0/Interrupt.json" with { type: "json" };
import PermissionRequest from "./fixtures/codex-0.169.0/PermissionRequest-Bash-mode-default.json" with { type: "json" };
import PostCompact from "./fixtures/codex-0.169.0/PostCompact-manual.json" with { type: "json" };
import PostModelRequest from "./fixtures/codex-0.169.0/PostModelRequest.json" with { type: "json" };
import PostToolUse from "./fixtures/codex-0.169.0/PostToolUse-Bash.json" with { type: "json" };
import PreCompact from "./fixtures/codex-0.169.0/PreCompact-manual.json" with { type: "json" };
import PreModelRequest from "./fixtures/codex-0.169.0/PreModelRequest.json" with { type: "json" };
import PreToolUse from "./fixtures/codex-0.169.0/PreToolUse-Bash.json" with { type: "json" };
import SessionEnd from "./fixtures/codex-0.169.0/SessionEnd-other.json" with { type: "json" };
import SessionStart from "./fixtures/codex-0.169.0/SessionStart-startup.json" with { type: "json" };
import Stop from "./fixtures/codex-0.169.0/Stop.json" with { type: "json" };
import SubagentStart from "./fixtures/codex-0.169.0/SubagentStart-in-subagent.json" with { type: "json" };
import SubagentStop from "./fixtures/codex-0.169.0/SubagentStop-in-subagent.json" with { type: "json" };
import UserPromptSubmit from "./fixtures/codex-0.169.0/UserPromptSubmit.json" with { type: "json" };
import { examine } from "./trust.ts";

const RECORDED: Readonly<Record<string, Payload>> = {
  Interrupt,
  PermissionRequest,
  PostCompact,
  PostModelRequest,
  PostToolUse,
  PreCompact,
  PreModelRequest,
  PreToolUse,
  SessionEnd,
  SessionStart,
  Stop,
  SubagentStart,
  SubagentStop,
  UserPromptSubmit,
};

/** What hooks.json may have beyond JSON: each of these drops the whole file [seen 0.169.0, 2026-11-22, in hooks/list]. */
const ALLOWS: Allows = { comments: false, trailingComma: false, bom: false };
const TYPES = ["command", "mcp_tool", "prompt", "agent"];
const DROPS = "Codex drops the whole file for it";

/** What Codex finds fault with in a handler [seen 0.169.0, 2026-11-22, in hooks/list; the same in hooks.json and config.toml]. */
function handlerFlaws(handler: Payload): string[] {
  const { type, timeout } = handler;
  return [
    ...(typeof type === "string" && TYPES.includes(type) ? [] : [`a handler's "type" has to be one of ${TYPES.join(", ")}; ${DROPS}`]),
    ...(timeout === undefined || (Number.isInteger(timeout) && Number(timeout) >= 0)
      ? []
      : [`"timeout" has to be a whole number of seconds; ${DROPS}`]),
  ];
}

/** Rust's patterns have no look-around [seen 0.169.0, 2026-11-22]; the group is skipped. */
const matcherFlaws = ({ matcher }: Payload): string[] =>
  typeof matcher !== "string" || (isPattern(matcher) && !/\(\?<?[=!]/.test(matcher))
    ? []
    : [`matcher ${JSON.stringify(matcher)} is no pattern that Codex takes (it has no look-around); it skips these entries`];

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** What is wrong inside the `hooks` object, with the place. */
function contentFlaws(hooks: Payload): { path: (string | number)[]; message: string }[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    list(groups).flatMap((group, at) => [
      ...matcherFlaws(objectOf(group)).map((message) => ({ path: [event, at], message })),
      ...list(objectOf(group).hooks).flatMap((handler, index) =>
        handlerFlaws(objectOf(handler)).map((message) => ({ path: [event, at, "hooks", index], message })),
      ),
    ]),
  );
}

function jsonFile(text: string): Flaw[] {
  const flaws = jsonFlaws(text, ALLOWS);
  const root = jsonTree(text);
  if (flaws.length > 0 || !root) return flaws;
  const keys = (root.children ?? []).map(({ children }) => (children as Node[])[0] as Node);
  const at = (path: (string | number)[]) => findNodeAtLocation(root, ["hooks", ...path])?.offset;
  return [
    ...keys.flatMap(({ value, offset }, index) => {
      if (value !== "hooks" && value !== "description") return [{ offset, message: `unknown key ${JSON.stringify(value)}; ${DROPS}` }];
      const again = keys.findIndex((key) => key.value === value) < index;
      return again ? [{ offset, message: `${JSON.stringify(value)} is there twice; ${DROPS}` }] : [];
    }),
    ...contentFlaws(objectOf(objectOf(JSON.parse(text)).hooks)).map(({ path, message }) => ({ offset: at(path), message })),
  ];
}

function tomlFile(text: string): Flaw[] {
  try {
    parseTOML(text);
    return contentFlaws(objectOf(objectOf(Bun.TOML.parse(text)).hooks)).map(({ path, message }) => ({
      message: `hooks.${path.join(".")}: ${message}`,
    }));
  } catch (error) {
    return [{ ...(error instanceof ParseError && { offset: error.index }), message: `no TOML: ${(error as Error).message}` }];
  }
}

const words = () => v.optional(v.string());
const common = { systemMessage: words(), continue: v.optional(v.boolean()), stopReason: words(), suppressOutput: v.optional(v.boolean()) };
const block = { decision: v.optional(v.literal("block")), reason: words() };
/** Any name is taken, none is not [seen 0.169.0, 2026-11-21], whatever the schemas say. */
const specific = <T extends v.ObjectEntries>(entries: T) => v.optional(v.strictObject({ hookEventName: v.string(), ...entries }));
const context = () => specific({ additionalContext: words() });

/** The JSON Schemas inside the released binary: one unknown key fails the whole answer [shipped 0.169.0; seen 2026-11-21]. */
const OUTPUTS: Readonly<Record<string, () => v.GenericSchema>> = {
  PreToolUse: () =>
    v.strictObject({
      ...common,
      decision: v.optional(v.picklist(["approve", "block"])),
      reason: words(),
      hookSpecificOutput: specific({
        additionalContext: words(),
        permissionDecision: v.optional(v.picklist(["allow", "deny", "ask"])),
        permissionDecisionReason: words(),
        updatedInput: v.optional(v.unknown()),
      }),
    }),
  PermissionRequest: () =>
    v.strictObject({
      ...common,
      hookSpecificOutput: specific({
        decision: v.optional(
          v.strictObject({ behavior: v.picklist(["allow", "deny"]), message: words(), interrupt: v.optional(v.literal(false)) }),
        ),
      }),
    }),
  PostToolUse: () => v.strictObject({ ...common, ...block, hookSpecificOutput: context() }),
  UserPromptSubmit: () => v.strictObject({ ...common, ...block, hookSpecificOutput: context() }),
  Stop: () => v.strictObject({ ...common, ...block }),
  SubagentStop: () => v.strictObject({ ...common, ...block }),
  SessionStart: () => v.strictObject({ ...common, hookSpecificOutput: context() }),
  SubagentStart: () => v.strictObject({ ...common, hookSpecificOutput: context() }),
  PreCompact: () => v.strictObject(common),
  PostCompact: () => v.strictObject(common),
  Interrupt: () => v.strictObject({ systemMessage: words() }),
};

const said = (text: unknown) => typeof text === "string" && text.trim() !== "";
const denied: Verdict = { kind: "denied" };
const passed: Verdict = { kind: "passed" };
const broken = (why: string): Verdict => ({ kind: "broken", blocks: false, why: `${why}, and Codex goes on as if there were no hook` });

/** What an answer in the right form is still refused for [seen 0.169.0, 2026-11-21]. */
function refused(native_event: string, answer: Payload): string | undefined {
  const { permissionDecision, permissionDecisionReason, updatedInput } = objectOf(answer.hookSpecificOutput);
  const gate = native_event === "PreToolUse" || native_event === "PermissionRequest";
  if (gate && (answer.continue === false || said(answer.stopReason) || answer.suppressOutput === true))
    return "it says continue, stopReason or suppressOutput, which Codex does not take at this event";
  if (answer.decision === "approve") return 'it says "approve"';
  if (answer.decision === "block" && !said(answer.reason)) return "it blocks without a reason";
  if (permissionDecision === "ask") return 'it says "ask", which Codex does not have';
  if (permissionDecision === "allow" && updatedInput === undefined) return 'it says "allow" and changes nothing';
  if (permissionDecision === "deny" && !said(permissionDecisionReason)) return "it denies without a reason";
  return updatedInput !== undefined && permissionDecision !== "allow" ? 'it changes the input without "allow"' : undefined;
}

function documentVerdict(native_event: string, text: string): Verdict {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return broken("its stdout begins as a document, but is no JSON");
  }
  if (!isObject(document)) return broken("its document is a list");
  const result = v.safeParse((OUTPUTS[native_event] as () => v.GenericSchema)(), document);
  if (!result.success)
    return broken(`its document does not fit the event (${v.getDotPath(result.issues[0]) ?? "all of it"}: ${result.issues[0].message})`);
  const answer = objectOf(document);
  const why = refused(native_event, answer);
  if (why) return broken(why);
  const { permissionDecision, decision } = objectOf(answer.hookSpecificOutput);
  if (answer.decision === "block" || permissionDecision === "deny" || objectOf(decision).behavior === "deny") return denied;
  // At Stop this ends the turn, and a denial would go on; of the others, some can't be stopped.
  const stops = ["PostToolUse", "UserPromptSubmit", "SessionStart", "PreCompact"].includes(native_event);
  return answer.continue === false && stops ? denied : passed;
}

const shapeOf = (native_event: string) => rowIn(capabilities, unknown, native_event).shape;

function verdict(native_event: string, { stdout, stderr, exit_code }: Result, handler: Payload): Verdict {
  // Nobody waits for it [seen 0.169.0, 2026-11-21].
  if (handler.async === true) return passed;
  const shape = shapeOf(native_event);
  if (exit_code === 2) {
    if (shape === "none") return passed;
    // SessionStart and PreCompact count it as a failure [seen 0.169.0, 2026-11-21].
    if (shape === "stop" || shape === "context" || shape === "message") return broken("it exited with code 2, which does nothing here");
    // Stdout is not read then [seen 0.169.0, 2026-11-21].
    return said(stderr) ? denied : broken("it exited with code 2 and said nothing on stderr");
  }
  if (exit_code !== 0) return broken(exit_code === null ? "it was killed" : `it exited with code ${exit_code}`);
  const text = stdout.trim();
  if (text === "" || shape === "none") return passed;
  if (/^[{[]/.test(text) && Object.hasOwn(OUTPUTS, native_event)) return documentVerdict(native_event, text);
  // Elsewhere plain text is a context, or ignored [seen 0.169.0, 2026-11-21].
  return ["Stop", "SubagentStop", "Interrupt"].includes(native_event) ? broken("it printed plain text") : passed;
}

/** The shell of the passwd entry, not $SHELL [seen 0.169.0]; what it takes for one that it does not know is unverified. */
function shell(): string {
  const found = [userInfo().shell, "/bin/bash"].find((path) => path && /^(ba|z|da|)sh$/.test(basename(path)) && existsSync(path));
  return found ?? "/bin/sh";
}

/** It adds no variable of its own, and no line feed [seen 0.169.0]. */
const launches: Check["launches"] = ({ command, handler }, file, payload, place) => {
  const rest = { cwd: rootOf(file, place), env: complete(place.env), stdin: payload };
  if (place.platform !== "win32") return [{ argv: [shell(), "-c", command], ...rest }];
  // Which of them it is in which release nobody knows [unverified].
  const line = typeof handler.commandWindows === "string" ? handler.commandWindows : command;
  return [
    { way: "cmd.exe", argv: ["cmd.exe", "/d", "/s", "/c", line], ...rest },
    { way: "PowerShell", argv: powershell(line), ...rest },
  ];
};

export const check: Check = {
  flaws: (text, file) => (file.endsWith(".toml") ? tomlFile(text) : jsonFile(text)),
  sample: (native_event, subject) => sampleOf(RECORDED, native_event, subject),
  launches,
  verdict,
  examine,
};
