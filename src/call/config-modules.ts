/**
 * Re-exports all code that calls load if config files exist. The code forms one module and one chunk of the executable,
 * because loading a second chunk takes as long as running most of these functions.
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
