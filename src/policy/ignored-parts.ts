import type { HookDescriptor } from "../protocol/hook.ts";
import { CONFIG_KEYS, CONFIG_PARTS, type ConfigPart } from "./describe.ts";
import type { ConfigFiles, ParsedConfig } from "./files.ts";
import { mergeSettings } from "./merge.ts";
import { readConfigDocument } from "./read.ts";
import { readRuleFiles } from "./statements.ts";

/** The parts of a project's config file that don't take effect. */
export interface IgnoredParts {
  project: ParsedConfig;
  /** Paths of parts that would apply if the project were trusted, such as `["hooks", "guard", "allow"]`. */
  untrusted: readonly (readonly string[])[];
  /** Keys that aren't allowed in a project's file. */
  forbidden: readonly string[];
}

/**
 * Finds the parts of a project's config file that don't take effect. Returns undefined if the file is missing or
 * unreadable.
 */
export async function findIgnoredParts(
  hooks: readonly Pick<HookDescriptor, "name" | "load">[],
  files: ConfigFiles,
): Promise<IgnoredParts | undefined> {
  const ruleFiles = await readRuleFiles(files);
  const { managed, user, project, isProjectTrusted } = ruleFiles;
  const document = project && (await readConfigDocument(project).catch(() => undefined));
  if (!document) return undefined;
  const forbidden = CONFIG_KEYS.filter((key) => {
    const { scopes }: ConfigPart = CONFIG_PARTS[key];
    return document[key] !== undefined && !scopes.includes("project");
  });
  if (isProjectTrusted) return { project, untrusted: [], forbidden };
  const untrustedPaths: string[][] = Object.keys(project.rules ?? {}).length > 0 ? [["rules"]] : [];
  // An unreadable file is reported elsewhere.
  const sources = [managed, project, user].filter((one) => one !== undefined);
  for (const { name, load } of hooks) {
    if (!Object.hasOwn(project.hooks, name)) continue;
    const hook = await load().catch(() => undefined);
    const settings = hook && (await mergeSettings(name, sources, hook, files.read).catch(() => undefined));
    untrustedPaths.push(...(settings?.ignored ?? []).map((key) => ["hooks", name, key]));
  }
  return { project, untrusted: untrustedPaths, forbidden };
}
