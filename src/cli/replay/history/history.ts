import { join } from "node:path";
import type { HistoryReader } from "../../../protocol/host/history.ts";
import type { Host } from "../../../protocol/host/host.ts";
import type { HistoryOptions } from "./past-calls.ts";
import { createHostHistory, type RecordedCall, readPastCalls } from "./past-calls.ts";
import { type LoggedLines, rebuildLoggedCalls } from "./logged-calls.ts";
import type { AskedPolicy } from "./policy.ts";
import type { HistoryReport, HostHistory } from "./report.ts";
import { createTally } from "./tally.ts";

/**
 * The source of past calls: the hosts' records, the decision log, or "either", which uses the log only for hosts
 * without records.
 */
export type CallSource = "records" | "log" | "either";

interface HistoryQuery extends Omit<HistoryOptions, "onProgress"> {
  from: CallSource;
  log: LoggedLines;
  hosts: readonly Host[];
  policy: AskedPolicy;
  /** The policy to compare with. */
  other?: AskedPolicy;
  /** The rule or hook whose judged calls are all listed in the report. */
  shown?: string;
  /** Called with a host, the progress so far, and the number of the host's files. */
  onProgress: (host: Host, state: HostHistory, files: number) => void;
}

type HistoryResult = Pick<HistoryReport, "hosts" | "not_read" | "totals" | "rules" | "failures"> & {
  unasked: Record<string, number>;
};

/** Replays past calls with the policies, one by one in the original order. */
export async function replayHistory(question: HistoryQuery): Promise<HistoryResult> {
  const { hosts, policy, other, shown, from } = question;
  const tally = createTally({ isComparison: other !== undefined });
  const states: HostHistory[] = [];
  const unreadHosts: string[] = [];
  const ask = async (pastCall: RecordedCall, state: HostHistory) => {
    const previous = await other?.judge(pastCall.host, pastCall.call);
    const verdict = await policy.judge(pastCall.host, pastCall.call);
    if (verdict?.event?.event === "UserPromptSubmit") state.prompts++;
    else state.calls++;
    await tally.add(pastCall, verdict, previous);
  };
  try {
    if (from !== "log")
      for (const host of hosts) await replayHostRecords(host, question, { states, unread: unreadHosts, ask });
    if (from !== "records") {
      const recordedHosts = states.filter(({ calls, prompts }) => calls + prompts > 0).map(({ host }) => host);
      const unrecordedHosts = hosts.filter(({ id }) => !recordedHosts.includes(id));
      for await (const { pastCall: found, state } of rebuildLoggedCalls(unrecordedHosts, question.log, states))
        await ask(found, state);
    }
  } finally {
    await other?.close();
  }
  const { totals, unasked, failures } = tally;
  return { hosts: states, not_read: unreadHosts, totals, rules: tally.listRules(shown), failures, unasked };
}

interface HistoryCollector {
  states: HostHistory[];
  /** Hosts whose records can't be read. */
  unread: string[];
  ask: (pastCall: RecordedCall, state: HostHistory) => Promise<void>;
}

/** Replays the calls in a host's own records. */
async function replayHostRecords(host: Host, question: HistoryQuery, { states, unread, ask }: HistoryCollector) {
  const reader = await host.loadHistory?.();
  if (!reader) {
    unread.push(host.id);
    return;
  }
  const state = createHostHistory(host.id);
  states.push(state);
  const options = { ...question, folder: join(question.folder, host.id) };
  for await (const pastCall of readPastCalls(host, reader, state, options)) {
    const { version } = pastCall.call;
    if (version !== undefined) state.releases[version] = (state.releases[version] ?? 0) + 1;
    await ask(pastCall, state);
  }
  noteUnverifiedReleases(state, reader);
}

/** Records which releases have an unverified record format. */
function noteUnverifiedReleases(state: HostHistory, { releases }: HistoryReader): void {
  const unverified = Object.keys(state.releases).filter((release) => !releases.includes(release));
  if (unverified.length > 0) state.unseen_releases = unverified;
}
