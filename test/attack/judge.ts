import { type AttackCase, isOwnPayload, getPolicy, getTarget } from "./cases.ts";
import type { CommandResult } from "../../src/protocol/host/install.ts";

/** Matches a stack trace, a source path, or a message from the engine. */
const INTERNAL_NOISE = /^ {4}at |\.ts:\d|\.js:\d|\$bunfs|Bun v\d|panic/m;

const builtinNames = Object.getOwnPropertyNames(Object.prototype).join();

/**
 * Checks the requirements for every answer, then the case's expected verdict. Returns undefined if everything matches.
 */
export async function findFault(one: AttackCase, result: CommandResult): Promise<string | undefined> {
  const { host, native_event, argv, text, wanted } = one;
  const { handler, verdict, host: asked } = getTarget(host);
  const { stdout, stderr, exit_code } = result;
  const failure = asked.failureExitCode ?? 1;
  if (exit_code !== 0 && exit_code !== failure && exit_code !== 1 && exit_code !== 2) return `exit code ${exit_code}`;
  if (stdout !== "" && !isDocument(stdout)) return `stdout is not one document: ${stdout.slice(0, 200)}`;
  if (INTERNAL_NOISE.test(stderr)) return `a stack trace on stderr: ${stderr.slice(0, 400)}`;
  if (
    Object.getOwnPropertyNames(Object.prototype).join() !== builtinNames ||
    ({} as Record<string, unknown>).polluted !== undefined
  )
    return "Object.prototype was changed";
  // The changed payload may now be another host's or event's call, which requires a different answer. If it still
  // contains its trigger, it's still the same host's call for the same event.
  if (wanted !== "held" && !(await isOwnPayload(asked, native_event, text))) return undefined;
  const found = verdict(native_event, result, handler(native_event, getPolicy(argv)));
  const failed = exit_code === failure || exit_code === 1;
  if (found.kind === "broken" && !failed) return `the host refuses the answer: ${found.problem}`;
  if (failed && exit_code !== 0 && stderr === "") return "it failed without a word";
  if (wanted === "denied" && found.kind !== "denied") return `not denied, but ${found.kind}`;
  if (wanted === "not denied" && found.kind === "denied") return "denied";
  if (wanted === "held" && found.kind !== "denied" && !(failed && stderr !== "" && getPolicy(argv) === "allow"))
    return `the denial does not hold: ${found.kind}`;
  return undefined;
}

/** Whether stdout is one JSON object on one line, after the host's prefix if it has one. */
function isDocument(stdout: string): boolean {
  try {
    const document: unknown = JSON.parse(stdout.replace(/^[A-Z_]+\t/, ""));
    return (
      typeof document === "object" && document !== null && !Array.isArray(document) && !stdout.trimEnd().includes("\n")
    );
  } catch {
    return false;
  }
}
