/** The plugin is not a config file of OpenClaw's: the only requirement is that it is ours and has its entries. */
export { findModuleProblems as findConfigProblems } from "../../setup/plugin-module.ts";
