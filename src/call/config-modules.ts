/**
 * Re-exports everything that calls load only if config files exist. Keeping it in one module puts it in one chunk of
 * the executable. Loading a second chunk would take as long as running most of these functions.
 */
export { loadAllowPolicy } from "../policy/load-allow.ts";
export { openConfigFiles } from "../policy/files.ts";
export { readLogSettings } from "../policy/log.ts";
export { readHookOptions as readOptionsOf } from "../policy/merge.ts";
export { readModes } from "../policy/modes.ts";
export { readRulePolicy } from "../policy/rules.ts";
export { applyMode, withholdWarning } from "./ask/apply-mode.ts";
export {
  describeRuleProblems,
  describeInvalidParts as describeVoidParts,
  reportOnce as sayOnce,
} from "./ask/config-notice.ts";
