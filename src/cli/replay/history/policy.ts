import type { HookDescriptor } from "../../../protocol/hook.ts";
import type { Host } from "../../../protocol/host/host.ts";
import type { PastCall } from "../../../protocol/host/history.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import { type ConfigSource, withProposedConfig } from "../../../policy/sources.ts";
import { splitLines } from "../../../call/serve.ts";
import { simulateCall } from "../../try/simulate-call.ts";
import type { HostDecision } from "../../try/report.ts";
import { type Cause, listCauses, listUnreplayedHooks, separatePureHooks } from "../causes.ts";
import { ReplayRow } from "../report.ts";

/** A policy's decision on a call. */
export interface Verdict {
  /** The host's reaction to the policy's answer. */
  decision: HostDecision;
  causes: readonly Cause[];
  /** Matching hooks that weren't replayed. */
  unknown: readonly string[];
  /** Failures, each as `HOOK: MESSAGE`. */
  failures: readonly string[];
  /** The call as hooks see it; absent if the payload can't be parsed. */
  event?: AnyEvent;
}

/** A policy that can judge past calls. */
export interface AskedPolicy {
  judge: (host: Host, call: PastCall) => Promise<Verdict | undefined>;
  close: () => Promise<void>;
}

const formatFailure = (hook: string, failure: string) => `${hook}: ${failure}`;

/**
 * Creates a policy from this process's hooks: pure hooks are run, and other hooks are only matched.
 * @param by `config` is the proposed config file, or undefined to apply the installed files; without `by`, the
 * command's own config files apply
 */
export function createOwnPolicy(
  entries: readonly HookDescriptor[],
  flags: readonly string[],
  by?: { config: ConfigSource | undefined },
): AskedPolicy {
  const { pure, impure } = separatePureHooks(entries);
  return {
    async judge(host, call) {
      const ask = () => simulateCall(pure, host, call, flags);
      const { decision, hooks, event } = await (by ? withProposedConfig(by.config, ask) : ask());
      // A payload that looks like another host's would be answered in that host's format, so it isn't judged.
      if (event?.host !== host.id) return undefined;
      return {
        decision,
        causes: listCauses(hooks),
        unknown: listUnreplayedHooks(impure, event),
        failures: hooks.flatMap(({ name, failure }) => (failure === undefined ? [] : [formatFailure(name, failure)])),
        event,
      };
    },
    close: async () => {},
  };
}

/**
 * Creates a policy that judges calls with another executable, in a process that answers them one after another.
 * @throws Error (from `judge`) if the executable doesn't support such a process.
 */
export function createOtherPolicy(program: string, flags: readonly string[]): AskedPolicy {
  const child = Bun.spawn([program, "replay", "--pure", "--json", ...flags, "-"], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const rows = readRows(child.stdout);
  const sendToChild = async (line: string): Promise<ReplayRow | undefined> => {
    try {
      child.stdin.write(line);
      await child.stdin.flush();
    } catch {
      // The process has ended, so no more rows follow.
    }
    return (await rows.next()).value;
  };
  return {
    async judge(host, { native_event, payload }) {
      const argv = ["--host", host.id, "--event", native_event];
      const row = await sendToChild(`${JSON.stringify({ argv, payload })}\n`);
      if (!row) throw new Error(`--against ${program}: no answer; build it with a release that supports replay --pure`);
      const { answer, causes = [], unknown = [], failures = [] } = row;
      if (!answer) return undefined;
      return {
        decision: answer.decision,
        causes,
        unknown,
        failures: failures.map(({ hook, failure }) => formatFailure(hook, failure)),
      };
    },
    async close() {
      await child.stdin.end();
      child.kill();
      await child.exited;
    },
  };
}

/** Yields the rows of `replay --json` as they arrive, one per line. */
async function* readRows(stdout: ReadableStream<Uint8Array>): AsyncGenerator<ReplayRow, undefined> {
  for await (const line of splitLines(stdout as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>))
    if (line && /^,?\{"file":/.test(line)) yield ReplayRow.parse(JSON.parse(line.replace(/^,/, "")));
  return undefined;
}
