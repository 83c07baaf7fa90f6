import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import { Command, Option } from "clipanion";
import { findProgram } from "../../hosts/find-program.ts";
import type { ReplayOptions } from "./replay.ts";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import {
  declareConfig,
  declareConfigScope,
  declareHooks,
  declareHosts,
  declareJson,
  declareSchema,
  declareTimeout,
  formatCallFlags,
  HOST_IDS,
  findNamedHost,
  requireHosts,
  selectHosts,
} from "../terminal/options.ts";
import { formatNumber } from "../../operate/text.ts";

export class ReplayCommand extends HooksCommand {
  static override paths = [["replay"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "Run your hooks on recorded payloads, and show what changes.",
    details: `
      A file is one payload as JSON, or many, one a line (.jsonl); of a folder all such files are taken; - is stdin. A line may also be what serve is sent:
      {"argv": ["--event", …], "payload": {…}}, for hosts whose payloads don't say their event. Nothing is executed of the calls, and nothing is written to
      the log or the state.

      Without files the calls are those of the decision log, as far as it has them whole; what it then counts is as for --history.

      With --config the hooks judge by a config file that is not in place yet, as if it were: instead of the managed file, or of the one that --scope names. The
      other config files keep their places, and another executable goes by those that are in place. A file that config check finds wrong is not tried.

      With --against another executable answers, too, and only what would change from its answers to these is shown.

      With --history the payloads are the tool calls and prompts in the hosts' own records of their sessions on this machine: how many of them today's
      policy would have stopped, by rule. The records stay as they are, nothing is kept, and nothing leaves the machine. Only hooks that are declared pure
      are asked; of the others it is counted what they would have seen. Conditions about files and repositories are judged as these are now.

      Exit code 0 when all was read, no hook failed and nothing changes, else 1.
    `,
    examples: [
      ["What the hooks say to everything that was recorded", "bridge-hooks replay recorded.jsonl"],
      ["What an update would change", "bridge-hooks replay recorded/ --hooks . --against ~/.local/bin/bridge-hooks"],
      ["What the policy would have done to your last month", "bridge-hooks replay --history"],
      ["What a config file would have done, before it is in place", "bridge-hooks replay --history --config new.json"],
      [
        "What a change of the hooks would have changed",
        "bridge-hooks replay --history --hooks . --against ~/.local/bin/bridge-hooks",
      ],
    ],
  });

  files = Option.Rest({ name: "file" });
  from = Option.String("--from", { description: "The host of the payloads, where they don't say" });
  host = declareHosts(`Only the payloads of this host: ${HOST_IDS}`);
  event = Option.String("--event", { description: "The host's own event name, where they don't say" });
  hooks = declareHooks();
  override config = declareConfig();
  override configScope = declareConfigScope();
  against = Option.String("--against", {
    description:
      "Another executable (with --history also a folder of hooks): show what would change from its answers to these",
  });
  history = Option.Boolean("--history", false, { description: "The hosts' own records of sessions, instead of files" });
  since = Option.String("--since", {
    description: "With --history: how far back, as 30d (default), 12h, a date, or all",
  });
  show = Option.String("--show", { description: "With --history: list what a rule (or a hook without rules) stops" });
  pure = Option.Boolean("--pure", false, {
    description: "Ask only hooks that are declared pure; --history always does",
  });
  onError = Option.String("--on-error", { description: "As for a call: allow (default) or deny, when a hook fails" });
  timeoutMs = declareTimeout();
  override json = declareJson();
  override schema = declareSchema();

  override loadSchema = async () =>
    this.history || this.files.length === 0
      ? (await import("./history/report.ts")).HistoryReport
      : (await import("./report.ts")).ReplayReport;

  async work(): Promise<number> {
    return this.history || this.files.length === 0 ? this.replayHistory() : this.replayFiles();
  }

  private async replayFiles(): Promise<number> {
    if (this.since !== undefined || this.show !== undefined)
      throw new Error(
        `--${this.since === undefined ? "show" : "since"} is for --history and for the log, not for files`,
      );
    const { findSources } = await import("./source.ts");
    const from = findNamedHost(this.from);
    const options = {
      from,
      only: requireHosts(this.host),
      event: this.event,
      flags: formatCallFlags(this),
      against: this.against === undefined ? undefined : await resolveOtherProgram(this.against),
      sources: findSources(this.files),
    };
    if (options.sources.length === 0) throw new Error(`there is no .json or .jsonl file in ${this.files.join(", ")}`);
    return this.replaySources(options);
  }

  private async replaySources(options: Omit<ReplayOptions, "state" | "unasked">): Promise<number> {
    const { against, sources } = options;
    const { describeHooksOrigin } = await import("../find-hooks.ts");
    const { identifyPolicy } = await import("../../operate/policy/identity.ts");
    const { hideSecretsIn } = await import("../../call/log/redact.ts");
    const { addToTotals, createTotals, replayPayloads } = await import("./replay.ts");
    const { separatePureHooks } = await import("./causes.ts");
    const { runInTempDir } = await import("../../author/testing/temp-dir.ts");
    const { createJsonWriter, createTextWriter } = await import("./writers.ts");
    const { createProgress } = await import("../terminal/progress.ts");
    return this.runWithHooks(async (hooks, output) => {
      const { pure, others } = separatePureHooks(hooks.entries);
      const asked = this.pure ? pure : hooks.entries;
      const progress = createProgress();
      const writer = (this.json ? createJsonWriter : createTextWriter)(
        {
          policy: await identifyPolicy(hooks, process.cwd()),
          from: describeHooksOrigin(hooks),
          names: asked.map(({ name }) => name),
          against,
          sources,
        },
        {
          ...output,
          write: (text) => (progress.clear(), output.write(text)),
          say: (text) => (progress.clear(), output.say(text)),
        },
      );
      const totals = createTotals({ against });
      await runInTempDir(async ({ folder: state }) => {
        for await (const row of replayPayloads(asked, { ...options, state, ...(this.pure && { unasked: others }) })) {
          addToTotals(totals, row);
          writer.row(await hideSecretsIn(row));
          progress.show(() => `${formatNumber(totals.payloads + totals.unread)} payloads`);
        }
      });
      writer.end(totals);
      return totals.unread > 0 || totals.failed > 0 || (totals.changed ?? 0) > 0 ? 1 : 0;
    });
  }

  /** Replays calls from the hosts' own session records or from the log. */
  private async replayHistory(): Promise<number> {
    if (this.files.length > 0 || this.from !== undefined || this.event !== undefined)
      throw new Error(
        this.history
          ? "--history takes no files, --from or --event: it reads the hosts' own records"
          : "--from and --event are for files of payloads; name some",
      );
    const { parseSince } = await import("./history/since.ts");
    const { reportHistory } = await import("./history/run.ts");
    const since = parseSince(this.since ?? "30d");
    const order = {
      from: this.history ? ("records" as const) : ("log" as const),
      hosts: selectHosts(this.host),
      since,
      flags: formatCallFlags(this),
      show: this.show,
      json: this.json,
    };
    const against =
      this.against === undefined || isFolder(this.against) ? this.against : await resolveOtherProgram(this.against);
    return this.runWithHooks((hooks, output) => reportHistory({ ...order, against }, hooks, output));
  }
}

const isFolder = (path: string) => orAbsent(() => statSync(path))?.isDirectory() === true;

/** @throws Error if the program isn't executable or isn't a bridge-hooks executable. */
async function resolveOtherProgram(given: string): Promise<string> {
  const path = resolve(findProgram(given) ?? given);
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new Error(`--against ${given}: not a program that can be run; name an executable`);
  }
  if (!(await import("../install/install.ts")).isOurProgram(path))
    throw new Error(`--against ${given}: not a bridge-hooks executable`);
  return path;
}
