import { hosts } from "../../hosts/index.ts";
import { formatSessionMode } from "../../call/session/session-policy.ts";
import { describeDecision, formatTime } from "../../operate/log/describe.ts";
import { formatPath, labelLines } from "../terminal/layout.ts";
import type { HostSessionStatus, SessionStatus } from "./session.ts";

const LABEL_WIDTH = 16;

const WITHHELD_STATES = {
  observe: "only observed: denials are logged, but nothing is stopped",
  warn: "only warned: denials are shown and logged, but nothing is stopped",
} as const;

/** Formats the output of `status --session`, for people and agents. */
export function formatSessionStatus({ asked_by, hosts: hostStatuses }: SessionStatus): string {
  if (hostStatuses.length === 0) return "no hosts found on this machine, so no session here is governed";
  return hostStatuses.map((hostStatus) => formatHost(hostStatus, asked_by)).join("\n\n");
}

function formatHost(
  { host, governed, withheld_by, policy, entries, problems, notes, session, last }: HostSessionStatus,
  asked_by: SessionStatus["asked_by"],
): string {
  const { name = host } = hosts.find(({ id }) => id === host) ?? {};
  const subject = asked_by === "agent" ? `this session of ${name}` : `a session of ${name} here`;
  const label = (text: string, lines: readonly string[]) => labelLines(`  ${text}`, lines, LABEL_WIDTH);
  const id = [policy.name, policy.version, policy.hash && `(hash ${policy.hash})`].filter(Boolean).join(" ");
  const about = session === undefined ? (asked_by === "person" ? " (in this project)" : "") : ` (session ${session})`;
  const by = last?.rule ?? last?.hook;
  const lines = [
    ...problems.map(({ what, fix }) => label("because", [what, `fix: ${fix}`])),
    ...(entries.length > 0 ? [label("policy", [id]), label("mode", [formatSessionMode(policy)])] : []),
    ...entries.map(({ file, events }) => label("entries", [`${formatPath(file)}: ${events.join(", ")}`])),
    ...(entries.length > 0 && policy.gaps.length > 0 ? [label("not in force", policy.gaps)] : []),
    ...(entries.length > 0 ? notes : []).map((note) => label("note", [note])),
    label("last call", [
      last === undefined
        ? "none in the log"
        : `${formatTime(last.time)}  ${[last.event, last.tool].filter(Boolean).join(" ")}  ${describeDecision(last)}${by === undefined ? "" : ` by ${by}`}${about}`,
    ]),
  ];
  const state = withheld_by === undefined ? (governed ? "governed" : "NOT governed") : WITHHELD_STATES[withheld_by];
  return [`${subject} is ${state}`, ...lines.flat()].join("\n");
}
