import type { HookDescriptor } from "../../protocol/hook.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { Mode } from "../../policy/modes.ts";

/** A response or failure that a mode withheld from the host. */
export interface WithheldAnswer {
  mode: Exclude<Mode, "enforce">;
  /** Set if the rule or the hook only warns, regardless of the mode. */
  isWarning?: true;
  response?: IHookResponse;
  failure?: string;
}

/** A response or failure that exceptions overrode. */
export interface AllowedAnswer {
  /** Ids of exceptions that users created, or locations of exceptions in config files. */
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
  /** Whether the handler wasn't called because no command in the shell command matches. */
  isUnmatched?: true;
  /** The answer that the mode withheld from the host. */
  withheld?: WithheldAnswer;
  /** Rules whose exceptions in config files the hook consulted. */
  exceptedRules?: readonly string[];
  /** The answer that an exception overrode. */
  allowed?: AllowedAnswer;
  /** Whether the hook gave no reason and the response contains a default reason. */
  isUnexplained?: true;
  /** A problem to report even though the hook ran, such as an ignored config file. */
  warning?: string;
  /** Whether config files exist; absent if the hook has no settings. */
  isConfigured?: boolean;
  /** Whether the hook saw a shell call instead of the MCP call. The hook's patch then uses the shell call's fields. */
  isShellView?: true;
  log: readonly string[];
  /** Uncaught errors that occurred while the hook ran and didn't make the hook fail. */
  strays: readonly unknown[];
  /** Duration in milliseconds, including module loading. */
  ms: number;
}
