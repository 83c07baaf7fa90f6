import { hostname } from "node:os";
import pkg from "../../../package.json" with { type: "json" };
import type { LogLine } from "../../call/log/log-line.ts";
import { classifyLine, type Outcome } from "../log/outcomes.ts";
import { describeLine } from "../log/describe.ts";

// OCSF events represent log lines as API Activity, with the profiles ai_operation and security_control. Version 1.9.0
// is the first schema version with ai_agent [docs https://schema.ocsf.io/1.9.0, released 2026-08-03].
const OCSF_VERSION = "1.9.0";
const OCSF_CATEGORY = { category_uid: 6, category_name: "Application Activity" } as const;
const OCSF_CLASS = { class_uid: 6003, class_name: "API Activity" } as const;
const UPDATE_ACTIVITY = 3;
const READ_ACTIVITY = 2;
const OTHER_ACTIVITY = 99;

const ACTIVITIES: Readonly<Record<string, { id: number; name: string }>> = {
  Read: { id: READ_ACTIVITY, name: "Read" },
  Glob: { id: READ_ACTIVITY, name: "Read" },
  Grep: { id: READ_ACTIVITY, name: "Read" },
  Write: { id: UPDATE_ACTIVITY, name: "Update" },
  Edit: { id: UPDATE_ACTIVITY, name: "Update" },
};

const SEVERITIES = {
  low: { severity_id: 2, severity: "Low" },
  medium: { severity_id: 3, severity: "Medium" },
  information: { severity_id: 1, severity: "Informational" },
} as const;

const ALLOWED_ACTION = { action_id: 1, action: "Allowed" } as const;
const DENIED = { action_id: 2, action: "Denied" } as const;
const UNKNOWN_ACTION = { action_id: 0, action: "Unknown" } as const;

/** Values of the security_control profile for each outcome of a call. */
const SECURITY_CONTROLS: Readonly<Record<Outcome, object>> = {
  denied: { ...SEVERITIES.medium, ...DENIED, disposition_id: 2, disposition: "Blocked", is_alert: true },
  asked: { ...SEVERITIES.low, ...UNKNOWN_ACTION, disposition_id: 23, disposition: "Challenge", is_alert: false },
  rewritten: { ...SEVERITIES.low, ...ALLOWED_ACTION, disposition_id: 11, disposition: "Corrected", is_alert: false },
  warned: { ...SEVERITIES.low, ...ALLOWED_ACTION, disposition_id: 17, disposition: "Logged", is_alert: false },
  withheld: { ...SEVERITIES.low, ...ALLOWED_ACTION, disposition_id: 17, disposition: "Logged", is_alert: false },
  excepted: { ...SEVERITIES.low, ...ALLOWED_ACTION, disposition_id: 8, disposition: "Approved", is_alert: false },
  failed: { ...SEVERITIES.medium, ...UNKNOWN_ACTION, disposition_id: 27, disposition: "Error", is_alert: true },
  passed: { ...SEVERITIES.information, ...ALLOWED_ACTION, disposition_id: 1, disposition: "Allowed", is_alert: false },
};

const AI_ROLES = {
  tool: { ai_role_id: 3, ai_role: "Tool" },
  user: { ai_role_id: 1, ai_role: "User" },
  agent: { ai_role_id: 4, ai_role: "Agent" },
} as const;

/** Log fields with an equivalent in the OCSF schema. All others go into `unmapped`. */
const MAPPED_FIELDS = new Set(["v", "id", "time", "host", "host_version", "session", "user", "policy", "ms", "seq"]);

const nameOperation = ({ tool, event, native_event, change }: LogLine): string =>
  tool ?? event ?? native_event ?? change?.command ?? "unknown";

const describeSource = ({ id, v: version, time, seq }: LogLine) => ({
  version: OCSF_VERSION,
  uid: id,
  product: { name: "bridge-hooks", vendor_name: "bridge-hooks", version: pkg.version },
  profiles: ["ai_operation", "security_control"],
  log_name: "decisions",
  log_version: String(version),
  original_time: time,
  ...(seq !== undefined && { sequence: seq }),
});

/** Converts a log line to an Open Cybersecurity Schema Framework event. */
export function formatOcsf(line: LogLine): Record<string, unknown> {
  const { host = "unknown", host_version, session, user, tool, event, policy } = line;
  const outcome = classifyLine(line);
  const operation = nameOperation(line);
  const activity = ACTIVITIES[tool ?? ""] ?? { id: OTHER_ACTIVITY, name: operation };
  const role = tool !== undefined ? AI_ROLES.tool : event === "UserPromptSubmit" ? AI_ROLES.user : AI_ROLES.agent;
  const agent = { uid: host, name: host, ...(host_version !== undefined && { version: host_version }) };
  const aiAgent = { ...agent, type_id: 0, type: "Unknown", ...(session !== undefined && { instance_uid: session }) };
  return {
    ...OCSF_CATEGORY,
    ...OCSF_CLASS,
    activity_id: activity.id,
    activity_name: activity.name,
    type_uid: OCSF_CLASS.class_uid * 100 + activity.id,
    type_name: `${OCSF_CLASS.class_name}: ${activity.id === OTHER_ACTIVITY ? "Other" : activity.name}`,
    time: Date.parse(line.time),
    duration: Math.round(line.ms),
    ...SECURITY_CONTROLS[outcome],
    ...(outcome === "denied" ? { status_id: 2, status: "Failure" } : { status_id: 0, status: "Unknown" }),
    ...(line.reason !== undefined && { status_detail: line.reason }),
    message: describeLine(line),
    metadata: describeSource(line),
    actor: {
      app_name: host,
      ...(user !== undefined && { user: { name: user } }),
      ...(session !== undefined && { session: { uid: session } }),
    },
    api: { operation, service: { name: host } },
    src_endpoint: { hostname: hostname() },
    ai_agent: aiAgent,
    message_context: { ...(session !== undefined && { uid: session }), application: agent, ...role },
    ...(policy && { policy: { name: policy.name, version: policy.version, uid: policy.hash } }),
    unmapped: Object.fromEntries(Object.entries(line).filter(([key]) => !MAPPED_FIELDS.has(key))),
  };
}
