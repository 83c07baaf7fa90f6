import { existsSync } from "node:fs";
import * as z from "zod";
import pkg from "../../../package.json" with { type: "json" };
import { policy as built } from "../../call/built/policy.ts";
import { hashPolicy } from "../../call/log/policy-hash.ts";
import { readModes, summarizeModes } from "../../policy/modes.ts";
import { MODES } from "../../policy/vocabulary.ts";
import { CONFIG_SCOPES, type ConfigSource, listConfigSources } from "../../policy/sources.ts";

const HashSchema = z.string().regex(/^[0-9a-f]{12}$/);

/** A mode that lets calls through, and the setting that enables it. */
export const ModeOriginSchema = z.object({
  mode: z.enum(["observe", "warn"]),
  until: z.string().optional().describe("Its last day"),
  file: z.string().describe("The config file that sets it"),
  key: z.string().describe("The key in that file: mode.rules.git/*"),
});
export type PassingMode = z.infer<typeof ModeOriginSchema>;

export const PolicySchema = z
  .object({
    name: z.string().describe("The name from build --name. Default: bridge-hooks"),
    version: z.string().describe("The version from build --policy-version. Default: the version of bridge-hooks"),
    hash: HashSchema.optional().describe(
      "Of the compiled-in hooks with their rules, and of the config files here: one policy, one hash. Absent for hooks of a folder, and for reports about a file",
    ),
    mode: z
      .object({
        mode: z.enum(MODES).describe("The current general mode; hooks and rules may have their own"),
        until: z.string().optional().describe("Its last day; then everything is enforced"),
        file: z.string().describe("The config file that sets it"),
        others: z
          .record(z.string(), z.enum(MODES))
          .describe("Current modes of hooks (by name) and rules (rules/ID) that differ from it"),
      })
      .optional()
      .describe("Absent if everything is enforced"),
    parts: z
      .object({
        hooks: HashSchema,
        ...(Object.fromEntries(CONFIG_SCOPES.map((scope) => [scope, HashSchema.optional()])) as Record<
          ConfigSource["scope"],
          z.ZodOptional<typeof HashSchema>
        >),
      })
      .optional()
      .describe("The parts of the hash: the hooks' hash and the hash of each existing config file"),
  })
  .describe("The executable with these hooks and rules, and the policy in force here");

export type Policy = z.infer<typeof PolicySchema>;

/** The executable's policy name and version, for reports that ignore config files. */
export const POLICY: Policy = { name: built?.name ?? pkg.name, version: built?.version ?? pkg.version };

/**
 * Identifies the policy in force in a directory: the executable's hooks plus the config files that apply there.
 * @param hooks Where the hooks come from. A policy whose hooks aren't compiled in has no hash.
 */
export async function identifyPolicy(
  hooks: { folder?: string },
  cwd: string,
  sources: readonly ConfigSource[] = listConfigSources(cwd),
): Promise<Policy> {
  if (!built || hooks.folder !== undefined) return POLICY;
  const mode = summarizeModes(await readModes(sources.filter(({ path }) => existsSync(path))));
  return { ...POLICY, ...(await hashPolicy(built.hooks, sources)), ...(mode && { mode }) };
}

/** Describes what a policy's modes withhold; undefined if everything is enforced. */
export function formatMode({ mode: modes }: Policy): string | undefined {
  if (!modes) return undefined;
  const { mode, until, file, others } = modes;
  const whole = `${mode}${until === undefined ? "" : ` until ${until}`}`;
  const rest = Object.entries(others).map(([name, one]) => `${name} ${one}`);
  return `${[whole, ...rest].join(", ")} (${file})`;
}

/**
 * Formats a policy: `acme 1.4.0, hash 0123456789ab`, with a second line if not everything is enforced: `mode: observe
 * until …`.
 */
export function formatPolicy(policy: Policy): string {
  const { name, version, hash } = policy;
  const mode = formatMode(policy);
  return `${name} ${version}${hash === undefined ? "" : `, hash ${hash}`}${mode === undefined ? "" : `\nmode: ${mode}`}`;
}
