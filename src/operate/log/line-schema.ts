import * as z from "zod";
import { EVENTS } from "../../protocol/event.ts";
import { MODES } from "../../policy/vocabulary.ts";
import { LINE_VERSION } from "../../call/log/log-head.ts";
import type { LogLine } from "../../call/log/log-line.ts";

const DecisionSchema = z.enum(["allow", "deny", "ask"]);

/** A line of the decision log. Later releases may add fields; a change of meaning increments `v`. */
export const LogLineSchema = z.looseObject({
  v: z.literal(LINE_VERSION).describe("Version of the line's format"),
  id: z.string().describe("The line's ID, as in bridge-hooks explain ID"),
  time: z.iso.datetime().describe("Time of the answer in UTC, by the machine's clock"),
  part: z
    .literal("head")
    .optional()
    .describe("A head, written before its full line; if no full line with the same ID follows, the details are lost"),
  shared: z
    .literal(true)
    .optional()
    .describe("Written by a plugin's entry, because the entry in the host's settings wrote no line in time"),
  host: z.string().optional(),
  host_version: z.string().optional().describe("Absent if the host doesn't report it"),
  event: z.enum(EVENTS).optional().describe("Absent if the call failed earlier"),
  native_event: z.string().optional().describe("The host's native event name"),
  tool: z.string().optional().describe("Bash, Write, …, or mcp__SERVER__TOOL"),
  session: z.string().optional(),
  project: z.string().optional().describe("The root of the repository, or the working directory"),
  cwd: z.string().optional().describe("The working directory, if it differs from the project"),
  user: z.string().optional().describe("The user name from the environment, or the user ID"),
  decision: z.enum(["allow", "deny", "ask", "none"]).describe("The decision that the host received; none: no decision"),
  wanted: DecisionSchema.optional().describe("The hooks' decision, if the host received a different one"),
  exceptions: z
    .array(z.string())
    .optional()
    .describe("IDs of the exceptions that allowed the call; those in config files as FILE: exceptions.INDEX"),
  change: z
    .object({
      command: z.enum(["allow", "revoke", "pause"]),
      exception: z.string().describe("The exception's ID"),
      reason: z.string().optional(),
      until: z.string().optional(),
      confirmed: z.string().optional().describe("The kind of terminal in which the user confirmed it"),
    })
    .optional()
    .describe("A user changed the policy in a terminal; the line isn't a call"),
  changed: z.array(z.string()).optional().describe('Rewritten input fields; "output" stands for the result'),
  mode: z.enum(MODES).describe('In observe and warn, the host did not receive "wanted"'),
  action: z
    .literal("warn")
    .optional()
    .describe("The rule only warns in every mode; in observe, the warning is only logged"),
  would_change: z.array(z.string()).optional().describe("Fields that enforcement would rewrite"),
  hook: z.string().optional().describe("The hook that decided, or whose failure caused a denial"),
  rule: z.string().optional(),
  subject: z.string().optional().describe("The judged command or file, as written in the call"),
  reason: z.string().optional(),
  others: z
    .array(z.object({ hook: z.string(), decision: DecisionSchema.optional(), rule: z.string().optional() }))
    .optional()
    .describe("Other hooks that made a decision"),
  policy: z.object({ name: z.string(), version: z.string(), hash: z.string() }).optional(),
  asked: z.unknown().optional().describe("The tool's input, or the event's fields"),
  content: z.enum(["redacted", "structure", "full"]).describe("How much of the call the line contains"),
  ms: z.number().describe("Milliseconds from the start of the call to its answer"),
  losses: z.array(z.string()).optional().describe("Parts of the response that the host didn't receive unchanged"),
  failures: z
    .array(z.object({ hook: z.string().optional(), failure: z.string() }))
    .optional()
    .describe("Failures; without a hook, the call itself failed"),
  messages: z
    .array(z.object({ hook: z.string(), text: z.string() }))
    .optional()
    .describe("Messages logged by hooks"),
  seq: z.int().positive().optional().describe("With log.chain: the line's number"),
  prev: z
    .string()
    .optional()
    .describe("With log.chain: SHA-256 of the previous line without its newline; empty for the first line"),
});

/** Parses a log line; undefined if it is cut, has another version, or isn't a log line. */
export function parseLogLine(text: string): LogLine | undefined {
  const line = parseWhole(text);
  if (line) return line;
  // If the disk was full, a cut line may be followed by the next one without a newline.
  for (let at = text.indexOf(LINE_START, 1); at > 0; at = text.indexOf(LINE_START, at + 1)) {
    const rest = parseWhole(text.slice(at));
    if (rest) return rest;
  }
  return undefined;
}

const LINE_START = `{"v":${LINE_VERSION},`;

function parseWhole(text: string): LogLine | undefined {
  if (!text.startsWith(LINE_START)) return undefined;
  try {
    const { success, data } = LogLineSchema.safeParse(JSON.parse(text));
    return success ? (data as LogLine) : undefined;
  } catch {
    return undefined;
  }
}
