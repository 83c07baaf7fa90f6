import { readFileSync } from "node:fs";
import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { EVENTS } from "../../protocol/event.ts";
import { TOOLS } from "../../protocol/tool.ts";
import { hosts } from "../../hosts/index.ts";
import { explainSystemError } from "../system-errors.ts";
import type { CallReport } from "./report.ts";
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
} from "../terminal/options.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class TryCommand extends HooksCommand {
  static override paths = [["try"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "Run your hooks on an event, and show the hosts' decisions.",
    details: formatDetails(
      [
        "The call itself isn't executed, and nothing is written to the log or the state.",
        "Without --host and --raw, each reason is shown once, and hosts are listed only if they differ.",
      ],
      "LINE is a shell command, the same as --command LINE.",
      `Events: ${EVENTS.filter((event) => event !== "Native").join(", ")}; with --payload, also events that only one host has (Native).`,
      `Tools: ${TOOLS.join(", ")}.`,
      "Exits with 0 regardless of the decision, and with 1 if a hook fails or an argument is invalid.",
    ),
    examples: [
      ["Try a shell command", "bridge-hooks try 'rm -rf /'"],
      ["Show the exact answer that a host would receive", "bridge-hooks try 'rm -rf /' --host ID"],
      ["Try reading a file, and explain the result", "bridge-hooks try --tool Read --path .env --explain"],
      ["Try a prompt", "bridge-hooks try --prompt 'my password is …'"],
      ["Try any event", `bridge-hooks try --event Stop --fields '{"continuations":1}'`],
      ["Try a recorded payload", "bridge-hooks try --payload payload.json"],
    ],
  });

  line = Option.String({ name: "LINE", required: false });
  event = Option.String("--event", { description: "Event (default: PreToolUse, or UserPromptSubmit with --prompt)" });
  tool = Option.String("--tool", { description: "Tool (default: Bash with --command, Read with --path)" });
  command = Option.String("--command", { description: "Shell command of a Bash call" });
  filePath = Option.Array("--path", [], {
    description: "File of a Read, Write or Edit call; may be repeated for Edit",
  });
  prompt = Option.String("--prompt", { description: "Text of a user prompt or Task call" });
  input = Option.String("--input", { description: "Tool input as JSON, with unified field names" });
  fields = Option.String("--fields", { description: "Further event fields as JSON: cwd, output, continuations, …" });
  payload = Option.String("--payload", {
    description: "Use a host's payload from this file instead; - for stdin",
  });
  from = Option.String("--from", { description: "Host that sent the payload, if the payload doesn't name its host" });
  host = declareHosts(`Only this host, with its raw answer: ${HOST_IDS}`);
  raw = Option.Boolean("--raw", false, { description: "Show the raw answer that each host receives" });
  hooks = declareHooks();
  override config = declareConfig();
  override configScope = declareConfigScope();
  explain = Option.Boolean("--explain", false, {
    description: "Show each hook's response, and why other hooks did nothing",
  });
  onError = Option.String("--on-error", {
    description: "What to answer if a hook fails: deny or allow (default: the policy that install writes)",
  });
  timeoutMs = declareTimeout();
  override json = declareJson();
  override schema = declareSchema();

  override loadSchema = async () => (await import("./report.ts")).TryReport;

  async work(): Promise<number> {
    const { tryHooks } = await import("./try.ts");
    const { formatExplanation, formatTryReport } = await import("./text.ts");
    const { findDisabledRulesOfCalls } = await import("./turned-off-rules.ts");
    const { noteIgnoredParts } = await import("../terminal/ignored-parts.ts");
    this.command = this.readCommandLine();
    const trial = await this.readTryInput();
    return this.runWithHooks(async (hooks, output) => {
      await noteIgnoredParts(hooks, process.cwd());
      const { checkAnswers } = await import("./lost-answers.ts");
      const [answers, report] = await Promise.all([checkAnswers(hooks), tryHooks(hooks, trial)]);
      if (answers.text !== undefined) this.context.stderr.write(`${answers.text}\n`);
      if (this.json) output.write(`${formatJson(report)}\n`);
      else {
        const { explain, host } = this;
        const raw = this.raw || host.length > 0;
        const calls = report.hosts.flatMap((hostReport) => hostReport.calls);
        const turnedOffRules = await findDisabledRulesOfCalls(hooks, trial.event, calls);
        output.show(
          `${formatTryReport(report, trial.event, output, { explain, raw, turnedOffRules })}\n${explain ? `\n${formatExplanation(report, hooks.entries, output)}\n` : ""}`,
        );
      }
      const hasFailed = ({ decision, hooks: hookReports }: CallReport) =>
        decision === "failed" || hookReports.some(({ failure }) => failure !== undefined);
      return answers.isWrong || report.hosts.some(({ calls }) => calls.some(hasFailed)) ? 1 : 0;
    });
  }

  /** @throws Error if the command line is given twice, or is a host's ID. */
  readCommandLine(): string | undefined {
    const { line, command } = this;
    if (line === undefined) return command;
    const isHost = hosts.some(({ id }) => id === line);
    if (!isHost && command === undefined) return line;
    const advice = isHost ? `did you mean --host ${line}?` : "pass the command only once;";
    throw new Error(`try: unexpected argument "${line}"; ${advice} see ${getOwnCommand()} try --help`);
  }

  async readTryInput() {
    const { parseTypedEvent } = await import("./typed-event.ts");
    const flags = formatCallFlags(this);
    const selectedHosts = requireHosts(this.host);
    const recording = this.payload === undefined ? undefined : await this.recorded(this.payload);
    if (!recording && this.from !== undefined) throw new Error("--from requires --payload");
    const event = recording?.event ?? parseTypedEvent({ ...this, path: this.filePath });
    const targetHosts =
      selectedHosts.length > 0 ? selectedHosts : recording && event.event === "Native" ? [recording.host] : hosts;
    return { event, recorded: recording, hosts: targetHosts, flags };
  }

  async recorded(file: string) {
    const { isJsonObject, parseJsonObject } = await import("./json.ts");
    const { decodeRecording } = await import("./recording.ts");
    const also =
      ["tool", "command", "prompt", "input", "fields"].find((name) => this[name as "tool"] !== undefined) ??
      (this.filePath.length > 0 ? "path" : undefined);
    if (also) throw new Error(`--payload contains the whole event; leave out --${also}`);
    const host = findNamedHost(this.from);
    const fileName = file === "-" ? "stdin" : file;
    const text = readPayloadText(file);
    const [line = "", ...more] = text.trim().split("\n", 2);
    if (more.length > 0 && isJsonObject(line))
      throw new Error(`${fileName} contains several payloads; to run them all: ${getOwnCommand()} replay`);
    const payload = parseJsonObject(text, fileName);
    try {
      return await decodeRecording(payload, host, this.event);
    } catch (error) {
      throw new Error(`${fileName}: ${(error as Error).message}`);
    }
  }
}

/** @throws Error if the file can't be read. */
function readPayloadText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Error(`no such file: ${file}`);
    const advice =
      code === "EISDIR" ? `pass a file, or use ${getOwnCommand()} replay for a directory` : "pass a readable file";
    throw new Error(`${file} can't be read (${explainSystemError(error)}); ${advice}`);
  }
}
