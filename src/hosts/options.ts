import type { HostOption } from "../protocol/host/host.ts";

/** The hosts' own options, as `run` takes them. */
export interface HostOptions {
  /** What Cursor gets for "ask" where it would run the call unasked. Default "deny". */
  cursorAskFallback?: "deny" | "ask";
  /** How Cursor gets a denial: by the document with exit code 0, or by exit code 2 as well, with which Cursor shows the raw document. Default "json". */
  cursorDeny?: "json" | "exit";
  /** What Codex gets for "ask", which it can't do: a denial, or nothing (its own approval applies). Default "deny". */
  codexAskFallback?: "deny" | "ask";
  /** What Gemini CLI gets for "ask", after which it hangs or ends where nobody can answer. Default "deny". */
  geminiAskFallback?: "deny" | "ask";
  /** How Gemini CLI gets a denial: with exit code 2, or the document alone, without a word about a hook that "failed". Default "exit". */
  geminiDeny?: "exit" | "json";
}

/** The entries' side of `HostOptions`: an option that is not in it, or that takes another value, does not compile. */
export type HostOptionTable = {
  readonly [Name in keyof HostOptions]: HostOption<NonNullable<HostOptions[Name]>>;
};
