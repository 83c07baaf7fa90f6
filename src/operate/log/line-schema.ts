import * as z from "zod";
import { EVENTS } from "../../protocol/event.ts";
import { MODES } from "../../policy/vocabulary.ts";
import { LINE_VERSION } from "../../call/log/log-head.ts";
import type { LogLine } from "../../call/log/log-line.ts";

const DecisionSchema = z.enum(["allow", "deny", "ask"]);

/**
 * A line of the decision log. Later releases may add fields. If an existing field changes its meaning, `v` is
 * increased.
 */
export const LogLineSchema = z.looseObject({
  v: z.literal(LINE_VERSION).describe("Version of the line format"),
  id: z.string().describe("ID of the line, as in bridge-hooks explain ID"),
  time: z.iso.datetime().describe("Time of the answer in UTC, according to the machine's clock"),
  part: z
    .literal("head")
    .optional()
    .describe(
      "Marks a head: a short line written before the full line; if no full line with the same ID follows, the details were lost",
    ),
  shared: z
    .literal(true)
    .optional()
    .describe(
      "Set if a plugin's entry wrote the line because the entry in the host's settings did not log the call in time",
    ),
  host: z.string().optional(),
  host_version: z.string().optional().describe("Host version; absent if the host doesn't report a version"),
  event: z.enum(EVENTS).optional().describe("Unified event; absent if the call failed before its event was known"),
  native_event: z.string().optional().describe("The host's name for the event"),
  tool: z.string().optional().describe("Tool name: Bash, Write, …, or mcp__SERVER__TOOL"),
  session: z.string().optional(),
  project: z.string().optional().describe("Root of the repository, or the working directory"),
  cwd: z.string().optional().describe("Working directory, if it differs from the project"),
  user: z.string().optional().describe("User name from the environment, or the user ID"),
  decision: z
    .enum(["allow", "deny", "ask", "none"])
    .describe("Decision that the host received; none means no decision"),
  wanted: DecisionSchema.optional().describe(
    "Decision of the hooks, if it differs from the one that the host received",
  ),
  exceptions: z
    .array(z.string())
    .optional()
    .describe("IDs of the exceptions that allowed the call; FILE: exceptions.INDEX for an exception in a config file"),
  change: z
    .object({
      command: z.enum(["allow", "revoke", "pause"]),
      exception: z.string().describe("ID of the exception"),
      reason: z.string().optional(),
      until: z.string().optional(),
      confirmed: z.string().optional().describe("Kind of terminal in which the user confirmed the exception"),
    })
    .optional()
    .describe("A policy change that a user made in a terminal; the line doesn't describe a call"),
  changed: z.array(z.string()).optional().describe(`Rewritten input fields; "output" stands for the tool's result`),
  mode: z
    .enum(MODES)
    .describe(
      'Mode in which the decision was made; in observe and warn modes, the host did not receive the decision in "wanted"',
    ),
  action: z
    .literal("warn")
    .optional()
    .describe(
      "Set if the rule's action is to warn, regardless of the mode; in observe mode, the warning is only logged",
    ),
  would_change: z.array(z.string()).optional().describe("Fields that would be rewritten in enforce mode"),
  hook: z.string().optional().describe("Hook that made the decision, or whose failure caused a denial"),
  rule: z.string().optional(),
  subject: z.string().optional().describe("Command or file that was evaluated, as written in the call"),
  reason: z.string().optional(),
  others: z
    .array(z.object({ hook: z.string(), decision: DecisionSchema.optional(), rule: z.string().optional() }))
    .optional()
    .describe("Other hooks that made a decision"),
  policy: z.object({ name: z.string(), version: z.string(), hash: z.string() }).optional(),
  asked: z.unknown().optional().describe("Tool input, or the fields of the event"),
  content: z.enum(["redacted", "structure", "full"]).describe("How much of the call is logged"),
  ms: z.number().describe("Milliseconds from the start of the call to its answer"),
  losses: z
    .array(z.string())
    .optional()
    .describe("Parts of the response that the host didn't receive, or received in a different form"),
  failures: z
    .array(z.object({ hook: z.string().optional(), failure: z.string() }))
    .optional()
    .describe("Hook failures; an item without a hook is a failure of the call itself"),
  messages: z
    .array(z.object({ hook: z.string(), text: z.string() }))
    .optional()
    .describe("Messages logged by hooks"),
  seq: z.int().positive().optional().describe("The line's number in the chain, if log.chain is set"),
  prev: z
    .string()
    .optional()
    .describe("SHA-256 of the previous line without its newline, if log.chain is set; empty for the first line"),
});

/**
 * Parses a log line. Returns undefined if the line is truncated, has a different version or isn't a log line at all.
 */
export function parseLogLine(text: string): LogLine | undefined {
  const line = parseCompleteLine(text);
  if (line) return line;
  // If the disk was full, a line can be cut short without a newline. The next line then follows directly.
  for (let at = text.indexOf(LINE_START, 1); at > 0; at = text.indexOf(LINE_START, at + 1)) {
    const nextLine = parseCompleteLine(text.slice(at));
    if (nextLine) return nextLine;
  }
  return undefined;
}

const LINE_START = `{"v":${LINE_VERSION},`;

function parseCompleteLine(text: string): LogLine | undefined {
  if (!text.startsWith(LINE_START)) return undefined;
  try {
    const { success, data } = LogLineSchema.safeParse(JSON.parse(text));
    return success ? (data as LogLine) : undefined;
  } catch {
    return undefined;
  }
}
