import { isObject } from "../../protocol/object.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { formatWithheld, isWithheld } from "../../operate/log/describe.ts";
import type { HookSet } from "../find-hooks.ts";
import type { Explanation, Verdict } from "./explanation.ts";

export function readLoggedVerdict(line: LogLine): Verdict {
  const { action, hook, rule, subject, reason } = line;
  return {
    decision: nameLoggedVerdict(line),
    ...{ hook, rule, subject, reason },
    ...(action === "warn" && { isWarning: true as const }),
  };
}

export const readLoggedCommand = ({ asked }: LogLine): string | undefined =>
  isObject(asked) && typeof asked.command === "string" ? asked.command : undefined;

/** Whether another executable made a logged decision: its policy has another name, or a hook that this one lacks. */
export const isForeign = ({ policy, hook }: LogLine, name: string, { entries }: HookSet): boolean =>
  (policy !== undefined && policy.name !== name) ||
  (hook !== undefined && entries.every((entry) => entry.name !== hook));

/** Explains a decision by another executable, whose hooks and rules are unknown here. */
export function explainForeignLine(line: LogLine): Explanation {
  const { policy, id, hook } = line;
  const owner = policy ? `${policy.name} ${policy.version}, hash ${policy.hash}` : `the one with the hook ${hook}`;
  const command = readLoggedCommand(line);
  return {
    line,
    verdict: readLoggedVerdict(line),
    ...(command !== undefined && { command }),
    settings: [],
    isChanged: false,
    ways: [
      { text: `another executable decided this call (${owner}); only that executable can explain it: explain ${id}` },
    ],
  };
}

/** Describes the decision on a logged call, and why the host didn't receive it. */
function nameLoggedVerdict(line: LogLine): string {
  const { decision, action, wanted, exceptions } = line;
  if (isWithheld(line)) return formatWithheld(line);
  if (action === "warn") return "warn";
  if (wanted === undefined) return decision;
  return exceptions
    ? `${wanted}, but allowed by the exception ${exceptions.join(", ")}`
    : `${wanted}, sent as ${decision}`;
}
