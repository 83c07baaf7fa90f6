import { type AnyEvent, type EventName, isToolCallEvent } from "../../protocol/event.ts";
import type { Env } from "../../protocol/host/host.ts";
import type { Decision, IHookResponse } from "../../protocol/response.ts";
import { policy } from "../built/policy.ts";
import type { Mode } from "../../policy/modes.ts";
import { type Judgement, type LoggedDecision, summarizeCall } from "./call-summary.ts";
import { type ConcludedCall, lacksConfigFiles } from "./concluded-call.ts";
import type { LogSettings } from "../../policy/describe.ts";
import type { LoadedLogSettings } from "../../policy/log.ts";
import { LINE_VERSION, type LineIdentity } from "./log-head.ts";
import { describePolicy } from "./name-policy.ts";
import { copyValue, loadRedactor, type ValueLimits, writeLength, writeUnchanged } from "./redact.ts";
import { homedir } from "../../system/home.ts";
import { listProjectFolders } from "../../protocol/project.ts";
import { findProjectRoot } from "../../system/project.ts";

/** The response of a hook other than the deciding one. */
export interface LoggedHook {
  hook: string;
  decision?: Decision;
  rule?: string;
}

/** A user's `bridge-hooks allow` or `pause` command. */
export interface PolicyChange {
  command: "allow" | "revoke" | "pause";
  exception: string;
  reason?: string;
  until?: string;
  /** The kind of terminal in which the user confirmed the command. */
  confirmed?: string;
}

/** A line in the decision log. `log.content` determines which fields show the call's contents. */
export interface LogLine {
  v: typeof LINE_VERSION;
  /** ID by which users can refer to the line. */
  id: string;
  /** When the call was answered. */
  time: string;
  /** Set on a line's head, which is written first. If no full line with the same ID follows, the details are lost. */
  part?: "head";
  /** Set if another entry may have logged the same call. */
  shared?: true;
  host?: string;
  host_version?: string;
  event?: EventName;
  native_event?: string;
  tool?: string;
  session?: string;
  /** The repository root or, outside a repository, the working directory. */
  project?: string;
  /** The working directory, if different from `project`. */
  cwd?: string;
  user?: string;
  /** The decision sent to the host. */
  decision: LoggedDecision;
  /** The hooks' decision, if the host was sent a different one. */
  wanted?: Decision;
  /** IDs of the exceptions that allowed the call, or `FILE: exceptions.0` for an exception in a config file. */
  exceptions?: string[];
  /** A policy change that a user made in a terminal. The line isn't about a call in this case. */
  change?: PolicyChange;
  /** The fields of the call that were changed. `output` is the call's result. */
  changed?: string[];
  /** The mode that applied. Unless it is `enforce`, the hooks' decision wasn't sent to the host. */
  mode: Mode;
  /** Set if nothing but warnings was withheld. Warnings are never enforced, whatever the mode. */
  action?: "warn";
  /** Fields of the call that mode `enforce` would have changed. */
  would_change?: string[];
  /** The deciding hook, with its rule, subject and reason. */
  hook?: string;
  rule?: string;
  subject?: string;
  reason?: string;
  /** The other hooks that made a decision. */
  others?: LoggedHook[];
  policy?: { name: string; version: string; hash: string };
  /** The tool's input, or the event's fields if there is no tool. */
  asked?: unknown;
  content: LogSettings["content"];
  ms: number;
  /** Parts of the response that the host didn't receive as the hooks wrote them. */
  losses?: string[];
  /** Failures of hooks or, where no hook is named, of the call itself. */
  failures?: { hook?: string; failure: string }[];
  /** Messages that hooks logged. */
  messages?: { hook: string; text: string }[];
  /**
   * The line's sequence number and the SHA-256 of the previous line (`prev`), if `log.chain` is set. On the first line,
   * `prev` is empty.
   */
  seq?: number;
  prev?: string;
}

/** Length limits for the call's contents. */
const CONTENT_LIMITS: Readonly<Record<LogSettings["content"], ValueLimits>> = {
  redacted: { text: 4_000, all: 16_000 },
  structure: { text: 200, all: 8_000 },
  full: { text: 64_000, all: 128_000 },
};
/** Length limits for all fields other than the call's contents. */
const NOTE_LIMITS: ValueLimits = { text: 4_000, all: 12_000 };
const NAME_LIMITS: ValueLimits = { text: 1_000, all: 8_000 };

export interface LineRuntime {
  env: Env;
  /** Config files that have already been read. */
  documents: LoadedLogSettings["documents"];
}

export async function createLogLine(
  call: ConcludedCall,
  content: LogSettings["content"],
  identity: LineIdentity,
  { env, documents }: LineRuntime,
): Promise<LogLine> {
  const { event } = call;
  const judgement = summarizeCall(call);
  const { decision, wanted, mode, action, hook, rule } = judgement.summary;
  const { notes, others } = describeHooks(call, judgement);
  const loggedNotes = content === "structure" ? omitStrings(notes) : notes;
  const origin = describeOrigin(call, env);
  const fieldChanges = describeChanges(call.response, judgement.intendedResponse);
  const names = { ...(hook !== undefined && { hook }), ...(rule !== undefined && { rule }) };
  const contents = event && describeContents(event, content);
  const write =
    content === "full"
      ? writeUnchanged
      : await loadRedactor([loggedNotes, contents, origin, fieldChanges, names, others]);
  const copyNames = <Names extends object>(value: Names) => copyValue(value, NAME_LIMITS, write) as Names;
  return {
    v: LINE_VERSION,
    ...identity,
    ...(call.isShared && { shared: true as const }),
    ...copyNames(origin),
    decision,
    ...(wanted !== undefined && { wanted }),
    ...describeExceptions(call),
    ...copyNames(fieldChanges),
    mode,
    ...(action && { action }),
    ...copyNames(names),
    ...(copyValue(loggedNotes, NOTE_LIMITS, write) as LoggedNotes),
    ...(others.length > 0 && copyNames({ others })),
    ...(policy && {
      policy: await describePolicy(
        policy,
        event ? listProjectFolders(event) : [],
        lacksConfigFiles(call) ? undefined : documents,
      ),
    }),
    ...(contents && {
      asked: copyValue(contents, CONTENT_LIMITS[content], content === "structure" ? writeLength : write, write),
    }),
    content,
    ms: Math.round(call.ms * 10) / 10,
  };
}

/** Describes a call's host, event, session, directory and user. */
function describeOrigin({ host, native_event, event }: ConcludedCall, env: Env) {
  const cwd = event?.cwd ?? "";
  const project = event && getProjectPath(event);
  return {
    host,
    host_version: event?.host_version,
    event: event?.event,
    native_event: native_event || undefined,
    tool: event && isToolCallEvent(event) ? formatToolName(event) : undefined,
    session: event?.session_id || undefined,
    project,
    cwd: cwd === project ? undefined : cwd || undefined,
    user: findUser(env),
  };
}

function describeExceptions({ outcomes }: ConcludedCall): Pick<LogLine, "exceptions"> {
  const exceptions = [...new Set(outcomes.flatMap(({ allowed }) => allowed?.by ?? []))];
  return exceptions.length > 0 ? { exceptions } : {};
}

/** Lists the fields that were changed and those that hooks would have changed. */
function describeChanges(
  response: IHookResponse,
  intendedResponse: IHookResponse,
): Pick<LogLine, "changed" | "would_change"> {
  const changed = listChangedFields(response);
  const wouldChange = listChangedFields(intendedResponse).filter((field) => !changed.includes(field));
  return { ...(changed.length > 0 && { changed }), ...(wouldChange.length > 0 && { would_change: wouldChange }) };
}

const listChangedFields = ({ modified_input, modified_output }: IHookResponse): string[] => [
  ...Object.keys(modified_input ?? {}),
  ...(modified_output === undefined ? [] : ["output"]),
];

interface LoggedNotes {
  subject?: string;
  reason?: string;
  losses?: string[];
  failures?: { hook?: string; failure: string }[];
  messages?: { hook: string; text: string }[];
}

function describeHooks(
  { losses, problem, response, isRepeated }: ConcludedCall,
  { enforcedOutcomes: outcomes, decider }: Judgement,
): { notes: LoggedNotes; others: LoggedHook[] } {
  const failures = [
    ...(problem === undefined ? [] : [{ failure: problem }]),
    ...outcomes.flatMap(({ entry, failure }) => (failure === undefined ? [] : [{ hook: entry.name, failure }])),
  ];
  const messages = isRepeated
    ? []
    : outcomes.flatMap(({ entry, log }) => log.map((text) => ({ hook: entry.name, text })));
  const { subject, reason = response.reason } = decider?.response ?? {};
  return {
    notes: {
      ...(subject !== undefined && { subject }),
      ...(reason !== undefined && { reason }),
      ...(losses.length > 0 && { losses: [...losses] }),
      ...(failures.length > 0 && { failures }),
      ...(messages.length > 0 && { messages }),
    },
    others: outcomes.flatMap((outcome): LoggedHook[] => {
      const { decision, rule: other } = outcome.response;
      if (outcome === decider || decision === undefined) return [];
      return [{ hook: outcome.entry.name, decision, ...(other !== undefined && { rule: other }) }];
    }),
  };
}

/**
 * Removes text that might quote the call. Descriptions of losses are cut before the quote, and failures and messages
 * are replaced with their length.
 */
const omitStrings = ({ losses, failures, messages }: LoggedNotes): LoggedNotes => ({
  ...(losses && { losses: losses.map((text) => text.replace(/[(;:][^]*$/, "").trim()) }),
  ...(failures && {
    failures: failures.map((failure) => ({ ...failure, failure: `[${failure.failure.length} characters]` })),
  }),
  ...(messages && {
    messages: messages.map((message) => ({ ...message, text: `[${message.text.length} characters]` })),
  }),
});

/** Returns a tool's name for the log, such as `Bash`, or `mcp__memory__read` for an MCP tool. */
function formatToolName(event: Extract<AnyEvent, { tool: unknown }>): string {
  const { server, tool } = event.input as { server?: unknown; tool?: unknown };
  if (event.tool === "MCP" && typeof tool === "string")
    return typeof server === "string" ? `mcp__${server}__${tool}` : `MCP ${tool}`;
  return event.tool;
}

/** Event fields that aren't the call's contents. They are either logged separately or must not be stored. */
const BASE_FIELDS = ["event", "native_event", "host", "host_version", "session_id", "cwd", "_native", "tool"];
/** Text from users and models. Logged in full only with `content: "full"`. */
const CONVERSATION_FIELDS = ["prompt", "task", "last_message"];
/** Fields with the result of a call. */
const RESULT_FIELDS = ["output", "error"];

/** Describes a call's contents, leaving out what is logged only with `content: "full"`. */
function describeContents(event: AnyEvent, content: LogSettings["content"]): Record<string, unknown> {
  const { input, ...fields } = event as unknown as Record<string, unknown>;
  const contents: Record<string, unknown> = {};
  const addFields = (source: Readonly<Record<string, unknown>>) => {
    for (const key in source) {
      if (source === fields && BASE_FIELDS.includes(key)) continue;
      const isHidden =
        CONVERSATION_FIELDS.includes(key) ||
        (source === fields ? RESULT_FIELDS.includes(key) : key === "content" && fields.tool === "Read");
      contents[key] = content !== "full" && isHidden ? describeLength(source[key]) : source[key];
    }
  };
  addFields(isToolCallEvent(event) ? {} : fields);
  if (isToolCallEvent(event)) {
    addFields(input as Record<string, unknown>);
    for (const key of RESULT_FIELDS) if (key in fields && content === "full") contents[key] = fields[key];
  }
  return contents;
}

const describeLength = (value: unknown) => (typeof value === "string" ? `[${value.length} characters]` : "[left out]");

/**
 * Returns a session's project: the root of its repository or, outside a repository, its directory. Returns undefined if
 * the session has neither.
 */
export function getProjectPath(event: Pick<AnyEvent, "cwd" | "workspace_roots">): string | undefined {
  const [folder] = listProjectFolders(event);
  return folder && (findProjectRoot(folder, homedir()) ?? folder);
}

export const findUser = ({ USER, LOGNAME, USERNAME }: Env): string | undefined =>
  USER || LOGNAME || USERNAME || process.getuid?.().toString();
