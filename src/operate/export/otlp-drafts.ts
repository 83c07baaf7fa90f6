import type { LogLine } from "../../call/log/log-line.ts";
import { classifyLine, type Outcome } from "../log/outcomes.ts";

/** The event name and attributes that a draft of the OpenTelemetry conventions defines for a log line. */
interface DraftRecord {
  eventName: string;
  attributes: Record<string, string>;
}

/** Supported drafts by name. The name includes the revision, because later revisions might rename attributes. */
export const OTLP_DRAFTS = {
  // docs https://github.com/open-telemetry/semantic-conventions-genai/pull/427 at 35b2921ac14cd8fd45be145223ce8174e120d2a8
  "gen-ai-security@35b2921": describeFinding,
  // The same proposal at f5e3733b19bdb5cb9074c2ec26da9e375d52a40a, which has results instead of verdicts.
  "gen-ai-guardrail@f5e3733": describeResult,
} as const satisfies Record<string, (line: LogLine) => DraftRecord>;
export type OtlpDraft = keyof typeof OTLP_DRAFTS;

const COMPONENT_NAME = "bridge-hooks";

/** Returns the hooks' decision, even if the host was sent a different one. */
function findVerdict({ action, decision, wanted, changed, would_change }: LogLine): string {
  if (action === "warn") return "warn";
  const hookDecision = wanted ?? decision;
  if (hookDecision === "deny") return "deny";
  if (hookDecision === "ask") return "escalate";
  return changed || would_change ? "modify" : "allow";
}

/** The draft's term for the action taken, by outcome. */
const ACTIONS_BY_OUTCOME: Readonly<Record<Outcome, string>> = {
  denied: "block",
  asked: "escalate",
  rewritten: "modify",
  warned: "audit",
  withheld: "audit",
  excepted: "allow",
  failed: "allow",
  passed: "allow",
};

const AFTER_CALL_EVENT = /^(?:PostToolUse|PostToolUseFailure|Stop|SubagentStop)$/;

const getSubtype = ({ tool, event }: LogLine): string =>
  tool !== undefined ? "tool_call" : event === "UserPromptSubmit" ? "message" : "action";

/** Omit the reason: it quotes the call. */
function describeFinding(line: LogLine): DraftRecord {
  const { id, policy, event = "", hook, rule } = line;
  return {
    eventName: "gen_ai.security.finding",
    attributes: {
      "gen_ai.security.policy.id": policy?.hash ?? COMPONENT_NAME,
      ...(policy && { "gen_ai.security.policy.name": policy.name, "gen_ai.security.policy.version": policy.version }),
      ...(rule !== undefined && { "gen_ai.security.policy.rule.id": rule }),
      "gen_ai.security.risk.finding": `custom:${rule ?? hook ?? "none"}`,
      "gen_ai.security.target.type": AFTER_CALL_EVENT.test(event) ? "output" : "input",
      "gen_ai.security.target.subtype": getSubtype(line),
      "gen_ai.security.external_finding_id": id,
      "gen_ai.security.guardrail.name": COMPONENT_NAME,
      ...(hook !== undefined && { "gen_ai.security.guardrail.id": hook }),
      "gen_ai.security.verdict.type": findVerdict(line),
      "gen_ai.security.action.type": ACTIONS_BY_OUTCOME[classifyLine(line)],
    },
  };
}

function describeResult(line: LogLine): DraftRecord {
  const { policy, event, native_event, rule } = line;
  const source = event ?? native_event;
  return {
    eventName: "gen_ai.guardrail.result",
    attributes: {
      "gen_ai.guardrail.component.name": COMPONENT_NAME,
      ...(policy && { "gen_ai.guardrail.policy.id": policy.hash, "gen_ai.guardrail.policy.version": policy.version }),
      ...(rule !== undefined && {
        "gen_ai.guardrail.policy.rule.id": rule,
        "gen_ai.guardrail.risk.category": rule.split("/")[0] ?? rule,
      }),
      ...(source !== undefined && { "gen_ai.guardrail.source": source }),
      "gen_ai.guardrail.result.type": "outcome",
      "gen_ai.guardrail.result.value": classifyLine(line),
    },
  };
}
