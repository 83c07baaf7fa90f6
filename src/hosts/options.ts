import type { HostOption } from "../protocol/host/host.ts";

/** The host-specific options of `run`. */
export interface HostOptions {
  /** What Cursor receives for "ask" where it would run the call unasked. Default "deny". */
  cursorAskFallback?: "deny" | "ask";
  /**
   * How Cursor receives a denial: as a document with exit code 0, or with exit code 2 too, for which Cursor shows the
   * raw document. Default "json".
   */
  cursorDeny?: "json" | "exit";
  /**
   * What Codex, which can't ask, receives for "ask": a denial, or nothing (its own approval applies). Default "deny".
   */
  codexAskFallback?: "deny" | "ask";
  /**
   * How Codex receives a denial: with exit code 2, or as the document with exit code 0, for shells that change exit
   * codes, as PowerShell does. Default "exit".
   */
  codexDeny?: "exit" | "json";
  /** What Gemini CLI receives for "ask", after which it hangs or exits if nobody can answer. Default "deny". */
  geminiAskFallback?: "deny" | "ask";
  /**
   * How Gemini CLI receives a denial: with exit code 2, or as the document alone, without a message that a hook
   * "failed". Default "exit".
   */
  geminiDeny?: "exit" | "json";
}

/** Type of the hosts' own `options`: an option or value that is missing in `HostOptions` does not compile. */
export type HostOptionTable = {
  readonly [Name in keyof HostOptions]: HostOption<NonNullable<HostOptions[Name]>>;
};
