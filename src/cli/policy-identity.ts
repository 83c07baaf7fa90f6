import { readFileSync } from "node:fs";
import * as z from "zod";
import pkg from "../../package.json" with { type: "json" };
import { readConfigDocument } from "../run/config.ts";
import { CONFIG_SCOPES, type ConfigSource, listConfigSources } from "../run/settings.ts";
import { policy as built } from "./build/own.ts";

const HashSchema = z.string().regex(/^[0-9a-f]{12}$/);

export const PolicySchema = z
  .object({
    name: z.string().describe("As build --name has it, else bridge-hooks"),
    version: z.string().describe("As build --policy-version has it, else the release of bridge-hooks"),
    hash: HashSchema.optional().describe(
      "Of the compiled-in hooks with their rules, and of the config files here: one policy, one hash. Absent for hooks of a folder, and for reports about a file",
    ),
    parts: z
      .object({
        hooks: HashSchema,
        ...(Object.fromEntries(CONFIG_SCOPES.map((scope) => [scope, HashSchema.optional()])) as Record<
          ConfigSource["scope"],
          z.ZodOptional<typeof HashSchema>
        >),
      })
      .optional()
      .describe("What the hash is made of: the hash of the hooks, and of each config file that is there"),
  })
  .describe("The executable whose hooks and rules these are, and which policy they make here");

export type Policy = z.infer<typeof PolicySchema>;

/** What the build knows about the policy of an executable. */
export interface BuiltPolicy {
  name?: string;
  version?: string;
  /** The hash of the hooks. */
  hooks: string;
}

/** The executable, as reports name it that are not about the config files here. */
export const POLICY: Policy = { name: built?.name ?? pkg.name, version: built?.version ?? pkg.version };

/** Hex digits of a hash: enough to tell policies apart, and to read them out. */
const HASH_LENGTH = 12;

export const computeHash = (parts: readonly string[]): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, HASH_LENGTH);

/**
 * The policy in force in a folder: of the hooks in this executable, and the config files for the folder.
 * @param hooks where the hooks come from: a policy of hooks that are not compiled in has no hash.
 */
export async function identifyPolicy(
  hooks: { folder?: string },
  cwd: string,
  sources: readonly ConfigSource[] = listConfigSources(cwd),
): Promise<Policy> {
  if (!built || hooks.folder !== undefined) return POLICY;
  const parts: NonNullable<Policy["parts"]> = { hooks: built.hooks };
  for (const source of sources) {
    const text = await readPolicyText(source);
    if (text !== undefined) parts[source.scope] = computeHash([text]);
  }
  return { ...POLICY, hash: computeHash(Object.entries(parts).flat()), parts };
}

/** What a config file says, without comments, layout and `$schema`; of one that can't be read as JSON, its bytes. */
async function readPolicyText(source: ConfigSource): Promise<string | undefined> {
  try {
    const document = await readConfigDocument(source);
    if (!document) return undefined;
    const { $schema: _, ...said } = document;
    return JSON.stringify(said);
  } catch {
    try {
      return readFileSync(source.path, "latin1");
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? "";
    }
  }
}

/** `acme 1.4.0, hash 0123456789ab`. */
export const formatPolicy = ({ name, version, hash }: Policy): string =>
  `${name} ${version}${hash === undefined ? "" : `, hash ${hash}`}`;
