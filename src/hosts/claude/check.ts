import { findNodeAtLocation, getNodeValue, type Node } from "jsonc-parser";
import * as v from "valibot";
import { pick } from "../../core/capability.ts";
import type { Payload } from "../../core/host.ts";
import type { Check, Flaw, Verdict } from "../../core/setup.ts";
import { complete, objectOf, powershell, rootOf, rowIn, sampleOf } from "../check.ts";
import { type Allows, jsonFlaws, jsonTree } from "../json.ts";
import { capabilities, unknown } from "./capabilities.ts";
import ConfigChange from "./fixtures/claude-code-2.1.330/ConfigChange-local_settings.json" with { type: "json" };
import CwdChanged from "./fixtures/claude-code-2.1.330/CwdChanged.json" with { type: "json" };
import Elicitation from "./fixtures/claude-code-2.1.330/Elicitation.json" with { type: "json" };
import ElicitationResult from "./fixtures/claude-code-2.1.330/ElicitationResult.json" with { type: "json" };
import FileChanged from "./fixtures/claude-code-2.1.330/FileChanged.json" with { type: "json" };
import InstructionsLoaded from "./fixtures/claude-code-2.1.330/InstructionsLoaded.json" with { type: "json" };
import MessageDisplay from "./fixtures/claude-code-2.1.330/MessageDisplay.json" with { type: "json" };
import Notification from "./fixtures/claude-code-2.1.330/Notification-permission_prompt.json" with { type: "json" };
import PermissionDenied from "./fixtures/claude-code-2.1.330/PermissionDenied-Bash.json" with { type: "json" };
import PermissionRequest from "./fixtures/claude-code-2.1.330/PermissionRequest-Bash-mode-default.json" with { type: "json" };
import PostCompact from "./fixtures/claude-code-2.1.330/PostCompact-manual.json" with { type: "json" };
import PostModelSwitch from "./fixtures/claude-code-2.1.330/PostModelSwitch.json" with { type: "json" };
import PostToolBatch from "./fixtures/claude-code-2.1.330/PostToolBatch-Bash.json" with { type: "json" };
import PostToolUse from "./fixtures/claude-code-2.1.330/PostToolUse-Bash.json" with { type: "json" };
import PostToolUseFailure from "./fixtures/claude-code-2.1.330/PostToolUseFailure-Bash-Exit_code_3_bad.json" with { type: "json" };
import PreCompact from "./fixtures/claude-code-2.1.330/PreCompact-manual.json" with { type: "json" };
import PreModelSwitch from "./fixtures/claude-code-2.1.330/PreModelSwitch.json" with { type: "json" };
import PreToolUse from "./fixtures/claude-code-2.1.330/PreToolUse-Bash.json" with { type: "json" };
import SessionEnd from "./fixtures/claude-code-2.1.330/SessionEnd-other.json" with { type: "json" };
import SessionStart from "./fixtures/claude-code-2.1.330/SessionStart-startup.json" with { type: "json" };
import Setup from "./fixtures/claude-code-2.1.330/Setup-init.json" with { type: "json" };
import Stop from "./fixtures/claude-code-2.1.330/Stop.json" with { type: "json" };
import StopFailure from "./fixtures/claude-code-2.1.330/StopFailure-unknown.json" with { type: "json" };
import SubagentStart from "./fixtures/claude-code-2.1.330/SubagentStart-in-subagent.json" with { type: "json" };
import SubagentStop from "./fixtures/claude-code-2.1.330/SubagentStop-in-subagent.json" with { type: "json" };
import UserPromptExpansion from "./fixtures/claude-code-2.1.330/UserPromptExpansion.json" with { type: "json" };
import UserPromptSubmit from "./fixtures/claude-code-2.1.330/UserPromptSubmit.json" with { type: "json" };
import WorktreeCreate from "./fixtures/claude-code-2.1.330/WorktreeCreate.json" with { type: "json" };
import TaskCompleted from "./fixtures/claude-code-2.1.197/TaskCompleted.json" with { type: "json" };
import TaskCreated from "./fixtures/claude-code-2.1.197/TaskCreated.json" with { type: "json" };
import { examine, variables } from "./managed.ts";

/** Task events are not there by default in 2.1.330. */
const RECORDED: Readonly<Record<string, Payload>> = {
  ConfigChange,
  CwdChanged,
  Elicitation,
  ElicitationResult,
  FileChanged,
  InstructionsLoaded,
  MessageDisplay,
  Notification,
  PermissionDenied,
  PermissionRequest,
  PostCompact,
  PostModelSwitch,
  PostToolBatch,
  PostToolUse,
  PostToolUseFailure,
  PreCompact,
  PreModelSwitch,
  PreToolUse,
  SessionEnd,
  SessionStart,
  Setup,
  Stop,
  StopFailure,
  SubagentStart,
  SubagentStop,
  UserPromptExpansion,
  UserPromptSubmit,
  WorktreeCreate,
  TaskCompleted,
  TaskCreated,
};

/** What its settings may have beyond JSON: with one of the others it reads nothing of the file, silently [seen 2.1.197 and 2.1.330, 2026-11-22]. */
const ALLOWS: Allows = { comments: false, trailingComma: false, bom: true };
const TYPES = ["command", "http", "mcp_tool", "prompt", "agent"];

/** What takes the good entries of an event away as well; before 2.1.330 those of every event [seen 2.1.197 and 2.1.330, 2026-11-22]. */
function handlerFlaw({ type, timeout, onFailure }: Payload): string | undefined {
  const drops = "Claude Code drops the entries beside it too, silently";
  if (!TYPES.includes(String(type))) return `a handler's "type" has to be one of ${TYPES.join(", ")}; ${drops}`;
  if (timeout !== undefined && typeof timeout !== "number") return `"timeout" has to be a number of seconds; ${drops}`;
  if (onFailure !== undefined && onFailure !== "block" && onFailure !== "continue")
    return `"onFailure" has to be "block" or "continue"; ${drops}`;
  return undefined;
}

/** What is wrong inside the `hooks` object, with the place. */
function contentFlaws(root: Node, document: Payload): Flaw[] {
  return Object.entries(objectOf(document.hooks)).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group, at) => {
      const { hooks: handlers } = objectOf(group);
      return (Array.isArray(handlers) ? handlers : []).flatMap((handler, index) => {
        const message = handlerFlaw(objectOf(handler));
        return message ? [{ offset: findNodeAtLocation(root, ["hooks", event, at, "hooks", index])?.offset, message }] : [];
      });
    }),
  );
}

function flaws(text: string): Flaw[] {
  const found = jsonFlaws(text, ALLOWS).map((flaw) => ({
    ...flaw,
    message: `${flaw.message}; Claude Code reads nothing of the file, silently`,
  }));
  const root = jsonTree(text);
  return found.length > 0 || !root ? found : contentFlaws(root, objectOf(getNodeValue(root)));
}

/** Events at which `onFailure` is not looked at [shipped 2.1.330]. */
const NO_ON_FAILURE = ["Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"];

/** What it reads of a document; unknown keys are ignored [seen 2.1.330], other values than these fail [unverified]. */
const Answer = () =>
  v.looseObject({
    continue: v.optional(v.boolean()),
    decision: v.optional(v.picklist(["approve", "block"])),
    hookSpecificOutput: v.optional(
      v.looseObject({
        hookEventName: v.optional(v.string()),
        permissionDecision: v.optional(v.picklist(["allow", "deny", "ask", "defer"])),
        decision: v.optional(v.looseObject({ behavior: v.picklist(["allow", "deny"]) })),
        action: v.optional(v.picklist(["accept", "decline", "cancel"])),
      }),
    ),
  });
type Answer = v.InferOutput<ReturnType<typeof Answer>>;

function parsed(text: string): Answer | undefined {
  try {
    const result = v.safeParse(Answer(), JSON.parse(text));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

function denies({ decision, hookSpecificOutput: specific, ...rest }: Answer, native_event: string): boolean {
  const { shape } = rowIn(capabilities, unknown, native_event);
  // The prompt is not sent; a tool call runs all the same, and the turn ends after it [seen 2.1.330, 2026-11-21].
  if (rest.continue === false && native_event === "UserPromptSubmit") return true;
  if (decision === "block" && (shape === "permission" || shape === "block" || shape === "exit")) return true;
  // Without its name, or with another one, it is ignored [seen 2.1.330, 2026-11-21].
  if (specific?.hookEventName !== native_event) return false;
  switch (shape) {
    case "permission":
      return specific.permissionDecision === "deny";
    case "behavior":
      return specific.decision?.behavior === "deny";
    case "elicitation":
      return specific.action === "decline" || specific.action === "cancel";
    case "block":
    case "context":
    case "message":
    case "exit":
      return false;
  }
}

const verdict: Check["verdict"] = (native_event, { stdout, exit_code }, handler): Verdict => {
  // Nobody waits for it [seen 2.1.330, 2026-11-21].
  if (handler.async === true) return { kind: "passed" };
  const row = rowIn(capabilities, unknown, native_event);
  const can = pick(row.deny, undefined).support !== "unenforceable";
  const answer = (denied: boolean): Verdict => ({ kind: denied && can ? "denied" : "passed" });
  // PermissionRequest reads the document alone [seen 2.1.330, 2026-11-21].
  if (exit_code === 2 && row.shape !== "behavior") return answer(true);
  const isDocument = stdout.trimStart().startsWith("{");
  const document = isDocument ? parsed(stdout) : undefined;
  // With any exit code the document decides [seen 2.1.330, 2026-11-21].
  if (document) return answer(denies(document, native_event));
  if (exit_code === 0 && !isDocument) return { kind: "passed" };
  const blocks = handler.onFailure === "block" && !NO_ON_FAILURE.includes(native_event);
  const why = isDocument
    ? "its stdout begins as a document, but is no JSON that Claude Code takes"
    : exit_code === null
      ? "it was killed"
      : `it exited with code ${exit_code}`;
  return {
    kind: "broken",
    blocks,
    why: `${why}, and Claude Code ${blocks ? "blocks because of onFailure" : "goes on as if there were no hook"}`,
  };
};

const launches: Check["launches"] = (entry, file, payload, place) => {
  const cwd = rootOf(file, place);
  // Beside these it adds ids and sockets of the session [seen 2.1.330, 2026-11-21].
  const env = complete(place.env, {
    CLAUDECODE: "1",
    CLAUDE_CODE_CHILD_SESSION: "1",
    CLAUDE_CODE_ENTRYPOINT: "cli",
    CLAUDE_PROJECT_DIR: cwd,
  });
  const start = (argv: readonly string[], way?: string) => ({ ...(way && { way }), argv, cwd, env, stdin: `${payload}\n` });
  const { command, args, handler } = entry;
  // [seen 2.1.197 and 2.1.330, 2026-11-22]
  if (args) return [start([command, ...args])];
  if (place.platform !== "win32") return [start(["/bin/sh", "-c", command])];
  // Git Bash where it is there, else PowerShell [docs https://code.claude.com/docs/en/hooks; not run].
  return [
    ...(handler.shell === "powershell" ? [] : [start(["bash.exe", "-c", command], "Git Bash")]),
    ...(handler.shell === "bash" ? [] : [start(powershell(command), "PowerShell")]),
  ];
};

export const check: Check = {
  flaws,
  sample: (native_event, subject) => sampleOf(RECORDED, native_event, subject),
  launches,
  verdict,
  variables,
  examine,
};
