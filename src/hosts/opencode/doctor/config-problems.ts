/** The plugin is no config of OpenCode's: that it is ours, with its entries, is all that it has to be. */
export { findModuleProblems as flaws } from "../../plugin-module.ts";
