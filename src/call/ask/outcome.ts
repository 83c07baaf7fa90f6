import type { HookDescriptor } from "../../protocol/hook.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { Mode } from "../../policy/modes.ts";

/** A response or failure that a mode withheld from the host. */
export interface WithheldAnswer {
  mode: Exclude<Mode, "enforce">;
  /** Set if the rule or the hook itself only warns, regardless of the mode. */
  isWarning?: true;
  response?: IHookResponse;
  failure?: string;
}

/** A response or failure that exceptions overrode. */
export interface AllowedAnswer {
  /** IDs of exceptions that users created, or locations of exceptions in config files. */
  by: readonly string[];
  response: IHookResponse;
  failure?: string;
}

/** The result of one hook. */
export interface HookOutcome {
  entry: HookDescriptor;
  response: IHookResponse;
  /** Description of the failure; absent if the hook didn't fail. */
  failure?: string;
  /** The error the hook threw, if any. */
  error?: unknown;
  /** Whether the handler was skipped because none of the commands match. */
  isUnmatched?: true;
  /** The answer that the mode withheld from the host. */
  withheld?: WithheldAnswer;
  /** Rules whose exceptions in config files the hook looked up. */
  exceptedRules?: readonly string[];
  /** The answer that an exception overrode. */
  allowed?: AllowedAnswer;
  /** Whether the response contains a default reason because the hook didn't give one. */
  isUnexplained?: true;
  /** A problem to report even though the hook ran, such as an ignored config file. */
  warning?: string;
  /** Whether config files exist; absent for a hook without settings. */
  isConfigured?: boolean;
  /** Whether the hook saw an MCP call as a shell call. If so, its patch uses the shell call's fields. */
  isShellView?: true;
  log: readonly string[];
  /** Uncaught errors that occurred while the hook ran but didn't make it fail. */
  strays: readonly unknown[];
  /** Duration in milliseconds, including module loading. */
  ms: number;
}
