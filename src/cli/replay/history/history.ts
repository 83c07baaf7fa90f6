import { join } from "node:path";
import type { HistoryReader } from "../../../protocol/host/history.ts";
import type { Host } from "../../../protocol/host/host.ts";
import type { HistoryOptions } from "./past-calls.ts";
import { createHostHistory, readPastCalls } from "./past-calls.ts";
import type { AskedPolicy } from "./policy.ts";
import type { HistoryReport, HostHistory } from "./report.ts";
import { createTally } from "./tally.ts";

interface HistoryQuestion extends Omit<HistoryOptions, "onProgress"> {
  hosts: readonly Host[];
  policy: AskedPolicy;
  /** The policy to compare with. */
  other?: AskedPolicy;
  /** The rule or hook whose calls are all listed. */
  shown?: string;
  /** Called with what was read so far of a host, and the number of its files. */
  onProgress: (host: Host, state: HostHistory, files: number) => void;
}

type HistoryResult = Pick<HistoryReport, "hosts" | "not_read" | "totals" | "rules" | "failures"> & {
  unasked: Record<string, number>;
};

/** Asks policies about the calls in the hosts' own records. Calls are asked about one after another, as they happened. */
export async function replayHistory(question: HistoryQuestion): Promise<HistoryResult> {
  const { hosts, policy, other, shown } = question;
  const tally = createTally({ isComparison: other !== undefined });
  const states: HostHistory[] = [];
  const unread: string[] = [];
  try {
    for (const host of hosts) {
      const reader = await host.loadHistory?.();
      if (!reader) {
        unread.push(host.id);
        continue;
      }
      const state = createHostHistory(host.id);
      states.push(state);
      const options = { ...question, folder: join(question.folder, host.id) };
      for await (const found of readPastCalls(host, reader, state, options)) {
        const before = await other?.judge(host, found.call);
        const verdict = await policy.judge(host, found.call);
        if (verdict?.event?.event === "UserPromptSubmit") state.prompts++;
        else state.calls++;
        const { version } = found.call;
        if (version !== undefined) state.releases[version] = (state.releases[version] ?? 0) + 1;
        await tally.add(found, verdict, before);
      }
      noteUnseenReleases(state, reader);
    }
  } finally {
    await other?.close();
  }
  const { totals, unasked, failures } = tally;
  return { hosts: states, not_read: unread, totals, rules: tally.listRules(shown), failures, unasked };
}

/** Notes the releases in a host's records that no record was seen of. */
function noteUnseenReleases(state: HostHistory, { releases }: HistoryReader): void {
  const unseen = Object.keys(state.releases).filter((release) => !releases.includes(release));
  if (unseen.length > 0) state.unseen_releases = unseen;
}
