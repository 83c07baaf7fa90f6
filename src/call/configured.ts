/**
 * What calls load where there are config files. It is one module, and one chunk of an executable: to load another one
 * takes as long as what most of them do.
 */
export { loadAllowPolicy } from "../policy/load-allow.ts";
export { openConfigFiles } from "../policy/files.ts";
export { readLogSettings } from "../policy/log.ts";
export { readOptionsOf } from "../policy/merge.ts";
export { readModes } from "../policy/modes.ts";
export { readRulePolicy } from "../policy/rules.ts";
export { applyMode, withholdWarning } from "./ask/apply-mode.ts";
export { describeRuleProblems, describeVoidParts, sayOnce } from "./ask/config-notice.ts";
