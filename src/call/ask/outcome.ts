import type { HookDescriptor } from "../../protocol/hook.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { Mode } from "../../policy/modes.ts";

/** What a mode kept from the host. */
export interface WithheldAnswer {
  mode: Exclude<Mode, "enforce">;
  /** Under every mode: the rule or the hook itself only warns. */
  isWarning?: true;
  response?: IHookResponse;
  failure?: string;
}

/** An answer that did not count. */
export interface AllowedAnswer {
  /** The ids of the exceptions. */
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
  /** The handler was not called: no command of the shell line matches. */
  isUnmatched?: true;
  /** What the mode kept from the host. */
  withheld?: WithheldAnswer;
  /** What an exception let pass that a person made on purpose. */
  allowed?: AllowedAnswer;
  /** The hook gave no reason; the one in the response is a default. */
  isUnexplained?: true;
  /** A problem to report although the hook ran, e.g. an ignored config file. */
  warning?: string;
  /** Whether there are config files; absent if the hook has no settings. */
  isConfigured?: boolean;
  /** The hook saw a shell call in place of the MCP call: its patch is in the words of that one. */
  isShellView?: true;
  log: readonly string[];
  /** Uncaught errors that occurred while it ran and did not make it fail. */
  strays: readonly unknown[];
  /** Duration in milliseconds, loading the module included. */
  ms: number;
}
