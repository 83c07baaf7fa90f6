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
import { formatDetails } from "../terminal/details.ts";

export class ReplayCommand extends HooksCommand {
  static override paths = [["replay"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "Replay recorded calls through your hooks, and compare the answers.",
    details: formatDetails(
      [
        "FILE is a file with one JSON payload or one per line (.jsonl), a directory of such files, or - for stdin.",
        'A line may also be a serve request, {"argv": ["--event", …], "payload": {…}}, for hosts whose payloads don\'t name their event.',
        "Calls aren't executed, and nothing is written to the log or the state.",
      ],
      "Without files, replays the calls that are complete in the decision log, and reports the same statistics as --history.",
      [
        "--config replaces the managed file, or the file that --scope names, with a proposed one.",
        "The other config files apply as usual; the executable passed with --against uses the installed files.",
        "A file that fails config check is rejected.",
      ],
      "--against also runs another executable, and shows only the answers that differ.",
      [
        "--history replays the tool calls and prompts in the hosts' own session records on this machine.",
        "It counts, by rule, the calls that the current policy would have stopped.",
        "The records aren't changed, nothing is stored, and no data leaves the machine.",
        "Only pure hooks are run; calls for other hooks are only counted.",
        "Conditions on files and repositories are checked against their current state.",
      ],
      "Exits with 0 if everything was read, no hook failed and nothing changes, and with 1 otherwise.",
    ),
    examples: [
      ["Replay recorded payloads", "bridge-hooks replay recorded.jsonl"],
      [
        "Compare with the installed executable",
        "bridge-hooks replay recorded/ --hooks . --against ~/.local/bin/bridge-hooks",
      ],
      ["Replay the calls of the last 30 days", "bridge-hooks replay --history"],
      ["Replay past calls with a proposed config file", "bridge-hooks replay --history --config new.json"],
      [
        "Replay past calls with changed hooks",
        "bridge-hooks replay --history --hooks . --against ~/.local/bin/bridge-hooks",
      ],
    ],
  });

  files = Option.Rest({ name: "file" });
  from = Option.String("--from", { description: "Host that sent the payloads, if the payloads don't name their host" });
  host = declareHosts(`Only replay payloads of this host: ${HOST_IDS}`);
  event = Option.String("--event", { description: "Native event name, if the payloads don't contain it" });
  hooks = declareHooks();
  override config = declareConfig();
  override configScope = declareConfigScope();
  against = Option.String("--against", {
    description: "Compare with another executable (or, with --history, a hooks directory)",
  });
  history = Option.Boolean("--history", false, {
    description: "Replay the hosts' own session records instead of files",
  });
  since = Option.String("--since", {
    description: "With --history: replay calls from the last 30d (default) or 12h, since a date, or all",
  });
  show = Option.String("--show", {
    description: "With --history: list the calls that a rule (or a hook without rules) stops",
  });
  pure = Option.Boolean("--pure", false, {
    description: "Only run pure hooks; --history always does",
  });
  onError = Option.String("--on-error", { description: "What to answer if a hook fails: allow (default) or deny" });
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
        `--${this.since === undefined ? "show" : "since"} applies to --history and the log, not to files`,
      );
    const { findSources } = await import("./source.ts");
    const fromHost = findNamedHost(this.from);
    const options = {
      from: fromHost,
      only: requireHosts(this.host),
      event: this.event,
      flags: formatCallFlags(this),
      against: this.against === undefined ? undefined : await resolveOtherProgram(this.against),
      sources: findSources(this.files),
    };
    if (options.sources.length === 0) throw new Error(`no .json or .jsonl file in ${this.files.join(", ")}`);
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
      const { pure, impure } = separatePureHooks(hooks.entries);
      const replayedHooks = this.pure ? pure : hooks.entries;
      const progress = createProgress();
      const writer = (this.json ? createJsonWriter : createTextWriter)(
        {
          policy: await identifyPolicy(hooks, process.cwd()),
          from: describeHooksOrigin(hooks),
          names: replayedHooks.map(({ name }) => name),
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
        for await (const row of replayPayloads(replayedHooks, {
          ...options,
          state,
          ...(this.pure && { unasked: impure }),
        })) {
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
          ? "--history reads the hosts' own records; leave out files, --from and --event"
          : "--from and --event require payload files; pass at least one",
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
async function resolveOtherProgram(program: string): Promise<string> {
  const path = resolve(findProgram(program) ?? program);
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new Error(`--against ${program}: not executable; pass a bridge-hooks executable`);
  }
  if (!(await import("../install/install.ts")).isOwnProgram(path))
    throw new Error(`--against ${program}: not a bridge-hooks executable`);
  return path;
}
