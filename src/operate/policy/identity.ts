import { existsSync } from "node:fs";
import * as z from "zod";
import pkg from "../../../package.json" with { type: "json" };
import { policy as built } from "../../call/built/policy.ts";
import { hashPolicy } from "../../call/log/policy-hash.ts";
import { readModes, summarizeModes } from "../../policy/modes.ts";
import { MODES } from "../../policy/vocabulary.ts";
import { CONFIG_SCOPES, type ConfigSource, listConfigSources } from "../../policy/sources.ts";

const HashSchema = z.string().regex(/^[0-9a-f]{12}$/);

/** A mode that lets denied calls run, and the setting that turns it on. */
export const ModeOriginSchema = z.object({
  mode: z.enum(["observe", "warn"]),
  until: z.string().optional().describe("Last day on which the mode applies"),
  file: z.string().describe("Config file that sets the mode"),
  key: z.string().describe("Key in the config file, such as mode.rules.git/*"),
});
export type PassingMode = z.infer<typeof ModeOriginSchema>;

export const PolicySchema = z
  .object({
    name: z.string().describe("Policy name from build --name; default: bridge-hooks"),
    version: z.string().describe("Policy version from build --policy-version; default: the version of bridge-hooks"),
    hash: HashSchema.optional().describe(
      "Hash of the compiled-in hooks and rules, and of the config files that apply here; absent for hooks in a directory and for reports about a single file",
    ),
    mode: z
      .object({
        mode: z.enum(MODES).describe("Current general mode; individual hooks and rules may have other modes"),
        until: z.string().optional().describe("Last day on which the mode applies; afterwards, everything is enforced"),
        file: z.string().describe("Config file that sets the mode"),
        others: z
          .record(z.string(), z.enum(MODES))
          .describe("Hooks (by name) and rules (as rules/ID) whose current mode differs from the general mode"),
      })
      .optional()
      .describe("Modes in force; absent if everything is enforced"),
    parts: z
      .object({
        hooks: HashSchema,
        ...(Object.fromEntries(CONFIG_SCOPES.map((scope) => [scope, HashSchema.optional()])) as Record<
          ConfigSource["scope"],
          z.ZodOptional<typeof HashSchema>
        >),
      })
      .optional()
      .describe(
        "Hashes from which the policy's hash is computed: one for the hooks, and one for each existing config file",
      ),
  })
  .describe("Policy in force here, as defined by the executable, the hooks and rules in it, and the config files");

export type Policy = z.infer<typeof PolicySchema>;

/** Name and version of the executable's policy, for reports that ignore config files. */
export const POLICY: Policy = { name: built?.name ?? pkg.name, version: built?.version ?? pkg.version };

/**
 * Identifies the policy in force in a directory. It consists of the executable's hooks and the config files that apply
 * there.
 * @param hooks where the hooks come from; without compiled-in hooks, the policy has no hash
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

/** Describes the modes of a policy. Returns undefined if everything is enforced. */
export function formatMode({ mode: modes }: Policy): string | undefined {
  if (!modes) return undefined;
  const { mode, until, file, others } = modes;
  const generalMode = `${mode}${until === undefined ? "" : ` until ${until}`}`;
  const otherModes = Object.entries(others).map(([name, one]) => `${name} ${one}`);
  return `${[generalMode, ...otherModes].join(", ")} (${file})`;
}

/**
 * Formats a policy: `acme 1.4.0, hash 0123456789ab`. Unless everything is enforced, adds a second line such as
 * `mode: observe until …`.
 */
export function formatPolicy(policy: Policy): string {
  const { name, version, hash } = policy;
  const mode = formatMode(policy);
  return `${name} ${version}${hash === undefined ? "" : `, hash ${hash}`}${mode === undefined ? "" : `\nmode: ${mode}`}`;
}
