import type { LogLine } from "../../call/log/log-line.ts";
import type { ListedRule } from "../rules/report.ts";
import type { SettingReport } from "../try/report.ts";
import type { DisabledRule } from "../try/turned-off-rules.ts";
import type { WithholdingMode } from "../try/verdict.ts";
import type { ChosenDenial } from "./last-denial.ts";
import type { UserException } from "./user-exceptions.ts";
import type { WayToAllow } from "./ways-to-allow.ts";
import type { ExceptedCall } from "./working-exceptions.ts";

/** The outcome of a call, and the reasons for it. */
export interface Explanation {
  /** Why this line was chosen; absent if the user named a line. */
  chosen?: ChosenDenial;
  /** The log line; absent for a typed command. */
  line?: LogLine;
  /** The current policy's decision; absent if the log doesn't contain the call's details. */
  today?: readonly HostVerdict[];
  /** The reason why the call couldn't be tried under the current policy. */
  untried?: string;
  /** The decision to explain, which is either the logged or the current one. */
  verdict: Verdict;
  /** The call's command line. */
  command?: string;
  /** The rule in its current form; absent if no hook has this rule now. */
  rule?: ListedRule;
  /** The hook's current settings. */
  settings: readonly SettingReport[];
  /** Whether the policy has changed since the call. */
  isChanged: boolean;
  ways: readonly WayToAllow[];
  /** The config exceptions that allow the call; absent if the call needs no exception. */
  excepted?: ExceptedCall;
  /** The rules that would stop the call if they were on; absent if none exist or the call was stopped. */
  turnedOffRules?: readonly DisabledRule[];
  /** The exceptions and pauses in force that allow the stopped call; absent if none exist. */
  userExceptions?: readonly UserException[];
}

export interface Verdict {
  /** The decision as displayed, such as `would deny (mode: observe)`. */
  decision: string;
  hook?: string | undefined;
  rule?: string | undefined;
  subject?: string | undefined;
  reason?: string | undefined;
  /** Whether the rule only warns, regardless of the mode. */
  isWarning?: true | undefined;
  /** The mode that lets the call through. */
  withheld?: WithholdingMode | undefined;
}

/** An answer shared by multiple hosts. */
export interface HostVerdict {
  hosts: readonly string[];
  decision: string;
  reason?: string | undefined;
  /** The policy's decision if the call is allowed anyway, such as `would deny (mode: observe)` or `warn`. */
  withheld?: string | undefined;
  /** The input fields that the hooks replace. */
  newInput?: Readonly<Record<string, unknown>> | undefined;
}
