// Generated from the host directories by `npm run registry`
import type { HostOption } from "../protocol/host/host.ts";

/** The host-specific options of `run`. */
export interface HostOptions {
  /** Cursor: the answer to send for "ask" if Cursor would run the call without asking. Default: "deny". */
  cursorAskFallback?: "deny" | "ask";
  /**
   * Cursor: deny by the JSON document with exit code 0, or by exit code 2 with the reason on stderr, the only text that
   * Cursor then shows. Default: "json".
   */
  cursorDeny?: "json" | "exit";
  /**
   * Codex: the answer to send for "ask": a denial, or no answer, so that Codex's own approval applies. Default: "deny".
   */
  codexAskFallback?: "deny" | "ask";
  /**
   * Codex: deny by exit code 2 with the reason on stderr, or by the JSON document, which PowerShell does not alter.
   * Default: "exit".
   */
  codexDeny?: "exit" | "json";
  /**
   * Gemini CLI: the answer to send for "ask", after which Gemini CLI hangs or exits if nobody can answer. Default:
   * "deny".
   */
  geminiAskFallback?: "deny" | "ask";
  /**
   * Gemini CLI: deny with exit code 2 and the JSON document, or only with the document, which fails if noise precedes
   * it. Default: "exit".
   */
  geminiDeny?: "exit" | "json";
}

/** The type of each host's own `options`. An option or value missing from `HostOptions` is a compile error. */
export type HostOptionTable = {
  readonly [Name in keyof HostOptions]: HostOption<NonNullable<HostOptions[Name]>>;
};
