import type { AnswerVerdict, CommandResult } from "../../protocol/host/install.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { isObject } from "../../protocol/object.ts";
import { describeExit, type CommandAnswer, judgeDenial } from "./answer-reader.ts";

/** Unwraps an answer that the resident process printed as one line of JSON; returns other results unchanged. */
export function extractAnswer(result: CommandResult): CommandResult {
  const line = parseJsonOrText(result.stdout);
  if (!isObject(line) || !("exit_code" in line)) return result;
  const { exit_code, stderr, answer } = line;
  const stdout = answer === null || answer === undefined ? "" : JSON.stringify(answer);
  return { stdout, stderr: String(stderr), exit_code: typeof exit_code === "number" ? exit_code : null };
}

/** Defines how a plugin interprets answer documents. */
interface PluginAnswerRules {
  /** Whether the host waits for the answer and can block the call. */
  isGate: boolean;
  /** Problems to report: `invalid` if stdout isn't JSON, `unknown` if the document doesn't have the expected form. */
  invalid: string;
  unknown: string;
  /** Whether a document has the expected form. By default, any object is accepted. */
  isValid?: (document: Payload) => boolean;
}

/** Evaluates an answer the way the plugin does. An invalid answer is subject to the entry's --on-error policy. */
export function judgePluginAnswer(
  host: string,
  { result, handler, isDenied }: Pick<CommandAnswer, "result" | "handler" | "isDenied">,
  { isGate, invalid, unknown, isValid = () => true }: PluginAnswerRules,
): AnswerVerdict {
  const { stdout, stderr, exit_code } = extractAnswer(result);
  const args = Array.isArray(handler.args) ? handler.args : [];
  const createProblemVerdict = (
    problem: string,
    isBlocking = isGate && args[args.indexOf("--on-error") + 1] === "deny",
  ): AnswerVerdict => ({
    kind: "broken",
    blocks: isBlocking,
    problem,
    reaction: isBlocking ? "the plugin blocks the call" : `the plugin lets ${host} continue`,
  });
  if (exit_code !== 0 && exit_code !== 1 && exit_code !== 2) return createProblemVerdict(describeExit(exit_code));
  const text = stdout.trim();
  // With exit code 2 and no document, the plugin denies the call with a generic reason.
  if (text === "" && exit_code !== 1) return judgeDenial(exit_code === 2 && isGate);
  // Exit code 1 means that the executable failed and its failure policy lets the call run.
  if (text === "") return createProblemVerdict(stderr.trim() || "it failed", false);
  const document = parseJsonOrText(text);
  if (document === text) return createProblemVerdict(invalid);
  if (!isObject(document) || !isValid(document)) return createProblemVerdict(unknown);
  if (exit_code === 1) return createProblemVerdict("it returned a document with exit code 1");
  // With exit code 2 on a gate event, the plugin denies the call with the text on stderr.
  return judgeDenial(isDenied || (exit_code === 2 && isGate));
}

/** Parses JSON; returns the string itself if it isn't valid JSON. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
