import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Host } from "../../../protocol/host/host.ts";
import { hosts as allHosts } from "../../../hosts/index.ts";
import { runInTempDir } from "../../../author/testing/temp-dir.ts";
import { homedir } from "../../../system/home.ts";
import { describeHooksOrigin, findHooks, type HookSet } from "../../find-hooks.ts";
import { formatJson, formatNumber } from "../../../operate/text.ts";
import { identifyPolicy } from "../../../operate/policy/identity.ts";
import { hideSecretsIn } from "../../../call/log/redact.ts";
import { createProgress } from "../../terminal/progress.ts";
import type { TerminalOutput } from "../../terminal/terminal.ts";
import { separatePureHooks } from "../causes.ts";
import { type CallSource, replayHistory } from "./history.ts";
import { readLoggedLines } from "./logged-calls.ts";
import { type AskedPolicy, createOtherPolicy, createOwnPolicy } from "./policy.ts";
import type { HistoryReport } from "./report.ts";
import { nameRule } from "./tally.ts";
import { formatHistory } from "./text.ts";

interface HistoryRequest {
  /** The policy to compare with: another executable, or a hooks directory. */
  against?: string;
  from: CallSource;
  hosts: readonly Host[];
  /** Start time in milliseconds since the epoch; 0 for everything. */
  since: number;
  flags: readonly string[];
  /** The rule or hook whose calls are listed. */
  show?: string;
  json: boolean;
}

/** Replays past calls with the current policy and prints the policy's decisions. */
export async function reportHistory(
  { from, show, json, since, flags, against, hosts }: HistoryRequest,
  hooks: HookSet,
  output: TerminalOutput,
): Promise<number> {
  const progress = createProgress();
  const log = readLoggedLines(process.env, since);
  const result = await runInTempDir(async ({ folder }) =>
    replayHistory({
      ...{ hosts, from, log },
      policy: createOwnPolicy(hooks.entries, flags),
      ...(against !== undefined && { other: await openOtherPolicy(against, flags) }),
      ...(show !== undefined && { shown: show }),
      machine: { home: homedir(), env: process.env, platform: process.platform },
      since,
      folder,
      onProgress: ({ name }, state, files) =>
        progress.show(() => `${name}: file ${state.files} of ${files}, ${formatNumber(state.records)} records`),
    }),
  );
  progress.clear();
  const { unasked, ...rest } = result;
  const report = await hideSecretsIn<HistoryReport>({
    policy: await identifyPolicy(hooks, process.cwd()),
    hooks: {
      from: describeHooksOrigin(hooks),
      asked: separatePureHooks(hooks.entries).pure.map(({ name }) => name),
      unasked,
    },
    ...(against !== undefined && { against }),
    since: since === 0 ? null : new Date(since).toISOString(),
    ...rest,
  });
  const isShown = report.rules.some((rule) => [nameRule(rule), rule.hook].includes(show ?? ""));
  if (show !== undefined && !isShown && !json) output.say(`${explainEmptyHistory(show, report)}\n`);
  else if (json) output.write(`${formatJson(report)}\n`);
  else output.show(formatHistory(report, allHosts, show, output));
  const isIncomplete = report.totals.failed > 0 || report.hosts.some(({ problems }) => problems.length > 0);
  return isIncomplete || (report.totals.changed ?? 0) > 0 ? 1 : 0;
}

const explainEmptyHistory = (show: string, { rules }: HistoryReport) =>
  rules.length === 0
    ? `Nothing would have been stopped.`
    : `Nothing would have been stopped by ${show}; rules with matches: ${[...new Set(rules.map(nameRule))].join(", ")}`;

/** @throws Error if a directory has no hooks, or if a hook is invalid. */
const openOtherPolicy = async (against: string, flags: readonly string[]): Promise<AskedPolicy> =>
  statSync(against).isDirectory()
    ? createOwnPolicy((await findHooks(against)).entries, flags, { config: undefined })
    : createOtherPolicy(resolve(against), flags);
