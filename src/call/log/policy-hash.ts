import { readFileSync, statSync } from "node:fs";
import { computeHash } from "./compute-hash.ts";
import type { ConfigScope, ConfigSource } from "../../policy/sources.ts";

/** What the hash of a policy is made of: the hash of the hooks, and of each config file that exists. */
export type PolicyParts = { hooks: string } & Partial<Record<ConfigScope, string>>;

/** A config file's object. */
export type PolicyDocument = Readonly<Record<string, unknown>>;

/**
 * The hash of the policy that hooks and config files make together.
 * @param known documents that were read already, by their files.
 */
export async function hashPolicy(
  hooks: string,
  sources: readonly ConfigSource[],
  known: ReadonlyMap<string, PolicyDocument> = new Map(),
): Promise<{ hash: string; parts: PolicyParts }> {
  const parts: PolicyParts = { hooks };
  for (const source of sources) {
    const document = known.get(source.path);
    const text = document ? formatDocument(document) : await readPolicyText(source);
    if (text !== undefined) parts[source.scope] = computeHash([text]);
  }
  return { hash: computeHash(Object.entries(parts).flat()), parts };
}

/** What a config file says, without comments, layout and `$schema`. */
const formatDocument = ({ $schema: _, ...said }: PolicyDocument): string => JSON.stringify(said);

/** What a config file says; of one that can't be read as JSON, its bytes. */
async function readPolicyText(source: ConfigSource): Promise<string | undefined> {
  try {
    const document = await (await import("../../policy/read.ts")).readConfigDocument(source);
    return document && formatDocument(document);
  } catch {
    try {
      // A pipe or a device could block.
      return statSync(source.path).isFile() ? readFileSync(source.path, "latin1") : "not a regular file";
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? "";
    }
  }
}
