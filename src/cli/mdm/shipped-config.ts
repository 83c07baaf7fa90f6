import { readFileSync } from "node:fs";
import type { ShippedConfig } from "../../operate/mdm/policy-files.ts";
import { readModes } from "../../policy/modes.ts";
import { identifyPolicy } from "../../operate/policy/identity.ts";
import { checkConfigFiles } from "../config/check.ts";
import { formatCheckReport } from "../config/check-text.ts";
import { COMPILED_HOOKS } from "../find-hooks.ts";

/**
 * Reads a managed config file and validates it as `config check` does.
 * @throws Error with the findings, if the file is invalid.
 */
export async function readShippedConfig(file: string): Promise<ShippedConfig> {
  const report = await checkConfigFiles([file], "managed", COMPILED_HOOKS, process.cwd());
  if (!report.ok)
    throw new Error(`--config ${file} is invalid; no changes made:\n${formatCheckReport(report, (_, text) => text)}`);
  const sources = [{ scope: "managed", path: file }] as const;
  const { parts } = await identifyPolicy({}, process.cwd(), sources);
  return { bytes: readFileSync(file), hash: parts?.managed, modes: await readModes(sources) };
}
