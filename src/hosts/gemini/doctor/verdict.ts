import { pick } from "../../../protocol/capability.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { Result, Verdict } from "../../../protocol/host/install.ts";
import { rowIn } from "../../check.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { isObject } from "../../../protocol/object.ts";

const broken = (why: string, blocks = false): Verdict => ({
  kind: "broken",
  blocks,
  why: `${why}, and Gemini CLI ${blocks ? "takes all of it for a denial" : "goes on as if there were no hook"}`,
});

/** The document in an answer: stderr's where stdout is empty, and also one inside a JSON string [shipped 0.61.0]. */
export function documentIn(text: string): Payload | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const document: unknown = typeof parsed === "string" ? JSON.parse(parsed) : parsed;
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/** What Gemini CLI makes of an answer [seen 0.61.0, 2026-11-22]. */
export function verdict(native_event: string, { stdout, stderr, exit_code }: Result): Verdict {
  const can = pick(rowIn(capabilities, unknown, native_event).deny, undefined).support !== "unenforceable";
  const text = stdout.trim() || stderr.trim();
  const document = documentIn(text);
  // Whatever the exit code.
  if (document) {
    const denies = document.decision === "deny" || document.decision === "block" || document.continue === false;
    return { kind: denies && can ? "denied" : "passed" };
  }
  if (exit_code === null) return broken("it was killed");
  if (exit_code === 0)
    return stdout.trim() === "" ? { kind: "passed" } : broken("its stdout is no document, but words for the user");
  if (text === "") return broken(`it exited with code ${exit_code} and said nothing`);
  if (exit_code === 1) return broken("it exited with code 1");
  // By the exit code alone and the words on stderr it is a denial of its own kind.
  if (stdout.trim() === "") return { kind: can ? "denied" : "passed" };
  return broken(`it exited with code ${exit_code}, and its stdout is no document`, can);
}
