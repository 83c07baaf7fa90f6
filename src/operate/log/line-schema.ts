import * as z from "zod";
import { EVENTS } from "../../protocol/event.ts";
import { MODES } from "../../policy/vocabulary.ts";
import { LINE_VERSION } from "../../call/log/log-head.ts";
import type { LogLine } from "../../call/log/log-line.ts";

const DecisionSchema = z.enum(["allow", "deny", "ask"]);

/** A line of the decision log. Later releases may add fields; a change of meaning increments `v`. */
export const LogLineSchema = z.looseObject({
  v: z.literal(LINE_VERSION).describe("The form of the line"),
  id: z.string().describe("By which a person names the line: bridge-hooks explain ID"),
  time: z.iso.datetime().describe("When the answer was made, in UTC, by the clock of the machine"),
  part: z
    .literal("head")
    .optional()
    .describe("The head of a line, written first: where no whole line with its id follows, its details are lost"),
  shared: z
    .literal(true)
    .optional()
    .describe("A plugin's entry wrote it: there is an entry in the host's settings, too, which wrote no line in time"),
  host: z.string().optional(),
  host_version: z.string().optional().describe("If the host says it"),
  event: z.enum(EVENTS).optional().describe("Absent if the call failed before it was known"),
  native_event: z.string().optional().describe("The host's own name of the event"),
  tool: z.string().optional().describe("Bash, Write, …, or mcp__SERVER__TOOL"),
  session: z.string().optional(),
  project: z.string().optional().describe("The root of the repository, or the working directory"),
  cwd: z.string().optional().describe("The working directory, where that is another folder"),
  user: z.string().optional().describe("As the environment names the user, or the number of the account"),
  decision: z.enum(["allow", "deny", "ask", "none"]).describe("What the host was told; none: no decision"),
  wanted: DecisionSchema.optional().describe("What hooks decided, where the host was told something else"),
  exceptions: z.array(z.string()).optional().describe("The ids of the exceptions that let it pass on purpose"),
  change: z
    .object({
      command: z.enum(["allow", "revoke", "pause"]),
      exception: z.string().describe("The id of the exception"),
      reason: z.string().optional(),
      until: z.string().optional(),
      confirmed: z.string().optional().describe("The kind of terminal in which the person confirmed it"),
    })
    .optional()
    .describe("A person changed what counts, in a terminal: the line is not about a call"),
  changed: z
    .array(z.string())
    .optional()
    .describe('The fields of the input that were rewritten; "output" is the result'),
  mode: z.enum(MODES).describe("Under observe and warn the host was not told what was wanted"),
  action: z.literal("warn").optional().describe("The rule only warns, under every mode; under observe nobody is told"),
  would_change: z.array(z.string()).optional().describe("The fields that would be rewritten, but for the mode"),
  hook: z.string().optional().describe("The hook that decided, or failed where that denies"),
  rule: z.string().optional(),
  subject: z.string().optional().describe("The command or the file that was judged, as the call writes it"),
  reason: z.string().optional(),
  others: z
    .array(z.object({ hook: z.string(), decision: DecisionSchema.optional(), rule: z.string().optional() }))
    .optional()
    .describe("The other hooks that decided"),
  policy: z.object({ name: z.string(), version: z.string(), hash: z.string() }).optional(),
  asked: z.unknown().optional().describe("The input of the tool, or the fields of the event"),
  content: z.enum(["redacted", "structure", "full"]).describe("What the line tells of the call"),
  ms: z.number().describe("Milliseconds from the start of the call to its answer"),
  losses: z.array(z.string()).optional().describe("What did not reach the host as the hooks wrote it"),
  failures: z
    .array(z.object({ hook: z.string().optional(), failure: z.string() }))
    .optional()
    .describe("What failed; without a hook, the call itself"),
  messages: z
    .array(z.object({ hook: z.string(), text: z.string() }))
    .optional()
    .describe("What hooks logged"),
  seq: z.int().positive().optional().describe("With log.chain: the number of the line"),
  prev: z
    .string()
    .optional()
    .describe("With log.chain: the SHA-256 of the line before, without its line break; empty for the first"),
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
