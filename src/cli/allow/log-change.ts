import { createId } from "../../call/state/create-id.ts";
import type { ExceptionRecord } from "../../call/exceptions/record.ts";
import { writeLogLine } from "../../call/log/log-call.ts";
import { countLostLines } from "../../call/log/lost-lines.ts";
import { LINE_VERSION } from "../../call/log/log-head.ts";
import { findUser, type LogLine, type PolicyChange } from "../../call/log/log-line.ts";
import { copyValue, loadRedactor } from "../../call/log/redact.ts";
import { readLogSettings } from "../../policy/log.ts";
import { findLogSources } from "../../call/log/log-sources.ts";
import { POLICY } from "../../operate/policy/identity.ts";

const USER_INPUT_LIMITS = { text: 4_000, all: 12_000 };

/** Records a user's policy change in the decision log, unless the log is off. */
export async function logChange(
  command: PolicyChange["command"],
  { id, rule, match, project, reason, until, confirmed }: ExceptionRecord,
): Promise<void> {
  const { settings } = await readLogSettings(findLogSources());
  if (settings.level === "off") return;
  const user = findUser(process.env);
  const line: LogLine = {
    ...{ v: LINE_VERSION, id: createId(), time: new Date().toISOString(), decision: "none", mode: "enforce" },
    ...(project !== undefined && { project }),
    ...(user !== undefined && { user }),
    ...(rule !== undefined && { rule }),
    ...(match !== undefined && settings.content !== "structure" && { subject: match }),
    policy: { name: POLICY.name, version: POLICY.version, hash: POLICY.hash ?? "" },
    change: {
      ...{ command, exception: id, reason, until },
      ...(confirmed !== undefined && command !== "revoke" && { confirmed }),
    },
    ...{ content: settings.content, ms: 0 },
  };
  const wasWritten = await writeLogLine(await redactLine(line), settings, { env: process.env }).catch(() => false);
  if (!wasWritten) countLostLines(process.env);
}

/** Removes secrets from the user's input, unless the log stores full content. */
async function redactLine(line: LogLine): Promise<LogLine> {
  const { subject, change, content } = line;
  if (content === "full") return line;
  const write = await loadRedactor([subject, change]);
  const userInput = { ...(subject !== undefined && { subject }), ...(change && { change }) };
  return { ...line, ...(copyValue(userInput, USER_INPUT_LIMITS, write) as typeof userInput) };
}
