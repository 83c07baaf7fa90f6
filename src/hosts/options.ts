// Generated from the host directories by `npm run registry`
import type { HostOption } from "../protocol/host/host.ts";

/** The host-specific options of `run`. */
export interface HostOptions {
  /** Cursor: the answer to send for "ask" if Cursor would run the call without asking. Default: "deny". */
  cursorAskFallback?: "deny" | "ask";
  /**
   * Cursor: how to deny: with a JSON document and exit code 0, or with exit code 2 and the reason on stderr, in which
   * case Cursor shows only the reason. Default: "json".
   */
  cursorDeny?: "json" | "exit";
  /**
   * Codex: the answer to send for "ask": a denial, or no answer, so that Codex's own approval policy applies. Default:
   * "deny".
   */
  codexAskFallback?: "deny" | "ask";
  /**
   * Codex: how to deny: with exit code 2 and the reason on stderr, or with a JSON document, which PowerShell doesn't
   * alter. Default: "exit".
   */
  codexDeny?: "exit" | "json";
  /**
   * Gemini CLI: the answer to send for "ask"; with "ask", Gemini CLI hangs or exits if nobody can answer. Default:
   * "deny".
   */
  geminiAskFallback?: "deny" | "ask";
  /**
   * Gemini CLI: how to deny: with exit code 2 and the JSON document, or with the document alone, which fails if other
   * output precedes it. Default: "exit".
   */
  geminiDeny?: "exit" | "json";
}

/** The type of each host's own `options`. An option or value missing from `HostOptions` is a compile error. */
export type HostOptionTable = {
  readonly [Name in keyof HostOptions]: HostOption<NonNullable<HostOptions[Name]>>;
};
