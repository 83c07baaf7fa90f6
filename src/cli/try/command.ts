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

export class TryCommand extends HooksCommand {
  static override paths = [["try"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "try",
    description: "Run your hooks on an event, and show what every host would be told.",
    details: `
      The hooks in this executable, or those of the folder that --hooks names. Nothing is executed of the call itself, and nothing is written to the log or the state.

      Events: ${EVENTS.filter((event) => event !== "Native").join(", ")}; and with --payload all that only one host has (Native).

      Tools: ${TOOLS.join(", ")}.

      Exit code 0 whatever is decided, 1 when a hook fails or something is wrong with what you typed.
    `,
    examples: [
      ["A shell line", "bridge-hooks try --command 'rm -rf /'"],
      [
        "A file that is read, and why the hooks say what they say",
        "bridge-hooks try --tool Read --path .env --explain",
      ],
      ["A prompt", "bridge-hooks try --prompt 'my password is …'"],
      ["Any event", `bridge-hooks try --event Stop --fields '{"continuations":1}'`],
      ["A payload that a host sent once", "bridge-hooks try --payload payload.json"],
    ],
  });

  event = Option.String("--event", { description: "The event (default: PreToolUse; with --prompt UserPromptSubmit)" });
  tool = Option.String("--tool", { description: "The tool (default: with --command Bash, with --path Read)" });
  command = Option.String("--command", { description: "The shell line of a Bash call" });
  filePath = Option.Array("--path", [], { description: "The file of a Read, Write or Edit call; of Edit several" });
  prompt = Option.String("--prompt", { description: "What the user, or a Task call, says" });
  input = Option.String("--input", { description: "The tool's input, as JSON in unified names" });
  fields = Option.String("--fields", { description: "More of the event, as JSON: cwd, output, continuations, …" });
  payload = Option.String("--payload", {
    description: "A file with a payload of a host in place of all that; - for stdin",
  });
  from = Option.String("--from", { description: "The host of that payload, where it does not say" });
  host = declareHosts(`Show only this host: ${HOST_IDS}`);
  hooks = declareHooks();
  override config = declareConfig();
  override configScope = declareConfigScope();
  explain = Option.Boolean("--explain", false, { description: "What each hook did, and why others did nothing" });
  onError = Option.String("--on-error", {
    description: "What a failed hook means: deny or allow (default: as install writes it)",
  });
  timeoutMs = declareTimeout();
  override json = declareJson();
  override schema = declareSchema();

  override loadSchema = async () => (await import("./report.ts")).TryReport;

  async work(): Promise<number> {
    const { tryHooks } = await import("./try.ts");
    const { formatExplanation, formatTryReport } = await import("./text.ts");
    const { noteIgnoredParts } = await import("../terminal/ignored-parts.ts");
    const trial = await this.readTryInput();
    return this.runWithHooks(async (hooks, output) => {
      await noteIgnoredParts(hooks, process.cwd());
      const { checkAnswers } = await import("./lost-answers.ts");
      const [answers, report] = await Promise.all([checkAnswers(hooks), tryHooks(hooks, trial)]);
      if (answers.text !== undefined) this.context.stderr.write(`${answers.text}\n`);
      if (this.json) output.write(`${formatJson(report)}\n`);
      else
        output.show(
          `${formatTryReport(report, trial.event, output, { explain: this.explain })}\n${this.explain ? `\n${formatExplanation(report, hooks.entries, output)}\n` : ""}`,
        );
      const failed = ({ decision, hooks: asked }: CallReport) =>
        decision === "failed" || asked.some(({ failure }) => failure !== undefined);
      return answers.isWrong || report.hosts.some(({ calls }) => calls.some(failed)) ? 1 : 0;
    });
  }

  async readTryInput() {
    const { parseTypedEvent } = await import("./typed-event.ts");
    const flags = formatCallFlags(this);
    const chosen = requireHosts(this.host);
    const recorded = this.payload === undefined ? undefined : await this.recorded(this.payload);
    if (!recorded && this.from !== undefined)
      throw new Error("--from names the host of --payload; pass --payload, too");
    const event = recorded?.event ?? parseTypedEvent({ ...this, path: this.filePath });
    const all = chosen.length > 0 ? chosen : recorded && event.event === "Native" ? [recorded.host] : hosts;
    return { event, recorded, hosts: all, flags };
  }

  async recorded(file: string) {
    const { isJsonObject, parseJsonObject } = await import("./json.ts");
    const { decodeRecording } = await import("./recording.ts");
    const also =
      ["tool", "command", "prompt", "input", "fields"].find((name) => this[name as "tool"] !== undefined) ??
      (this.filePath.length > 0 ? "path" : undefined);
    if (also) throw new Error(`--payload has the whole event; leave out --${also}`);
    const host = findNamedHost(this.from);
    const shown = file === "-" ? "stdin" : file;
    const text = readPayloadText(file);
    const [line = "", ...more] = text.trim().split("\n", 2);
    if (more.length > 0 && isJsonObject(line))
      throw new Error(`${shown} has several payloads; ${getOwnCommand()} replay runs them all`);
    const payload = parseJsonObject(text, shown);
    try {
      return await decodeRecording(payload, host, this.event);
    } catch (error) {
      throw new Error(`${shown}: ${(error as Error).message}`);
    }
  }
}

/** @throws Error if the file can't be read. */
function readPayloadText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Error(`there is no file ${file}`);
    const advice =
      code === "EISDIR" ? `name a file in it; ${getOwnCommand()} replay takes folders` : "name a file that can be read";
    throw new Error(`${file} can't be read (${explainSystemError(error)}); ${advice}`);
  }
}
