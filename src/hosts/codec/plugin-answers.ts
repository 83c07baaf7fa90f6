import type { AnswerVerdict, CommandResult } from "../../protocol/host/install.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { isObject } from "../../protocol/object.ts";
import { describeExit, type GivenAnswer, judgeDenial } from "./answer-reader.ts";

/** Unwraps an answer that came as a line of the resident process. */
export function extractAnswer(result: CommandResult): CommandResult {
  const line = parseJsonOrText(result.stdout);
  if (!isObject(line) || !("exit_code" in line)) return result;
  const { exit_code, stderr, answer } = line;
  const stdout = answer === null || answer === undefined ? "" : JSON.stringify(answer);
  return { stdout, stderr: String(stderr), exit_code: typeof exit_code === "number" ? exit_code : null };
}

/** How a plugin reads its documents. */
interface PluginAnswerRules {
  /** The event's calls can be blocked. */
  isGate: boolean;
  /** Why stdout that is not JSON is refused, and a document of another kind. */
  invalid: string;
  unknown: string;
  /** Default: any object. */
  fits?: (document: Payload) => boolean;
}

/** Judges an answer the way a plugin does; without an answer, it applies the entry's --on-error. */
export function judgePluginAnswer(
  host: string,
  { result, handler, isDenied }: Pick<GivenAnswer, "result" | "handler" | "isDenied">,
  { isGate, invalid, unknown, fits = () => true }: PluginAnswerRules,
): AnswerVerdict {
  const { stdout, stderr, exit_code } = extractAnswer(result);
  const args = Array.isArray(handler.args) ? handler.args : [];
  const broken = (
    problem: string,
    blocks = isGate && args[args.indexOf("--on-error") + 1] === "deny",
  ): AnswerVerdict => ({
    kind: "broken",
    blocks,
    problem,
    reaction: blocks ? "the plugin blocks the call" : `the plugin lets ${host} go on`,
  });
  if (exit_code !== 0 && exit_code !== 1 && exit_code !== 2) return broken(describeExit(exit_code));
  const text = stdout.trim();
  // Without a document, the plugin denies without the hook's reason.
  if (text === "" && exit_code !== 1) return judgeDenial(exit_code === 2 && isGate);
  // The executable's exit code for a failure that lets the call pass.
  if (text === "") return broken(stderr.trim() || "it failed", false);
  const document = parseJsonOrText(text);
  if (document === text) return broken(invalid);
  if (!isObject(document) || !fits(document)) return broken(unknown);
  if (exit_code === 1) return broken("it gave a document with exit code 1");
  // At a gate, the plugin then denies with the text on stderr.
  return judgeDenial(isDenied || (exit_code === 2 && isGate));
}

/** Parses a text as JSON; returns the text itself if it is not JSON. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
