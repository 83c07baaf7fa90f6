import type { HookDescriptor } from "../../protocol/hook.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { Mode } from "../../policy/modes.ts";

/** A response or failure that a mode withheld from the host. */
export interface WithheldAnswer {
  mode: Exclude<Mode, "enforce">;
  /** Whether the rule or the hook itself only warns, whatever the mode. */
  isWarning?: true;
  response?: IHookResponse;
  failure?: string;
}

/** A response or failure that exceptions overrode. */
export interface AllowedAnswer {
  /** Ids of users' exceptions, or the places of those in config files. */
  by: readonly string[];
  response: IHookResponse;
  failure?: string;
}

/** The result of one hook. */
export interface HookOutcome {
  entry: HookDescriptor;
  response: IHookResponse;
  /** What happened, if the hook failed. */
  failure?: string;
  /** The error, if the hook threw one. */
  error?: unknown;
  /** Whether the handler wasn't called because no command in the shell command matches. */
  isUnmatched?: true;
  /** What the mode withheld from the host. */
  withheld?: WithheldAnswer;
  /** Rules for which the hook consulted exceptions of config files. */
  exceptedRules?: readonly string[];
  /** What an exception overrode. */
  allowed?: AllowedAnswer;
  /** Whether the hook gave no reason, so that the response has a default one. */
  isUnexplained?: true;
  /** A problem to report although the hook ran, e.g. an ignored config file. */
  warning?: string;
  /** Whether config files exist; absent if the hook has no settings. */
  isConfigured?: boolean;
  /** Whether the hook saw a shell call instead of the MCP call, so that its patch uses the shell call's fields. */
  isShellView?: true;
  log: readonly string[];
  /** Uncaught errors that occurred while the hook ran and didn't make it fail. */
  strays: readonly unknown[];
  /** Duration in milliseconds, including the time to load the module. */
  ms: number;
}
