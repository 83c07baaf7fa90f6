// Generated from the folders: npm run registry
import type { HostOption } from "../protocol/host/host.ts";

/** The host-specific options of `run`. */
export interface HostOptions {
  /** Cursor: what it gets for "ask" where it would run the call unasked. Default "deny". */
  cursorAskFallback?: "deny" | "ask";
  /**
   * Cursor: deny by the document with exit code 0, or by exit code 2 with the reason on stderr, the only text that
   * Cursor then shows. Default "json".
   */
  cursorDeny?: "json" | "exit";
  /** Codex: what it gets for "ask": a denial, or nothing (its own approval applies). Default "deny". */
  codexAskFallback?: "deny" | "ask";
  /**
   * Codex: deny by exit code 2 with the reason on stderr, or by the document, which PowerShell leaves as it is. Default
   * "exit".
   */
  codexDeny?: "exit" | "json";
  /** Gemini CLI: what it gets for "ask", after which it hangs or ends where nobody can answer. Default "deny". */
  geminiAskFallback?: "deny" | "ask";
  /**
   * Gemini CLI: deny by exit code 2 as well, which holds with noise before the document, or by the document alone.
   * Default "exit".
   */
  geminiDeny?: "exit" | "json";
}

/** Type of the hosts' own `options`: an option or value that is missing in `HostOptions` does not compile. */
export type HostOptionTable = {
  readonly [Name in keyof HostOptions]: HostOption<NonNullable<HostOptions[Name]>>;
};
