import { readFileSync, statSync } from "node:fs";
import { computeHash } from "./compute-hash.ts";
import type { ConfigScope, ConfigSource } from "../../policy/sources.ts";

/** What the policy hash is computed from: the hash of the hooks and the hash of each existing config file. */
export type PolicyParts = { hooks: string } & Partial<Record<ConfigScope, string>>;

/** The top-level object of a config file. */
export type PolicyDocument = Readonly<Record<string, unknown>>;

/**
 * Hashes the policy that results from the hooks and the config files.
 * @param knownDocuments documents that have already been read, keyed by file
 */
export async function hashPolicy(
  hooks: string,
  sources: readonly ConfigSource[],
  knownDocuments: ReadonlyMap<string, PolicyDocument> = new Map(),
): Promise<{ hash: string; parts: PolicyParts }> {
  const parts: PolicyParts = { hooks };
  for (const source of sources) {
    const document = knownDocuments.get(source.path);
    const text = document ? formatDocument(document) : await readPolicyText(source);
    if (text !== undefined) parts[source.scope] = computeHash([text]);
  }
  return { hash: computeHash(Object.entries(parts).flat()), parts };
}

/** Serializes a config file's object, leaving out comments, formatting and `$schema`. */
const formatDocument = ({ $schema: _, ...said }: PolicyDocument): string => JSON.stringify(said);

/** Returns a config file's serialized object, or its bytes if it isn't valid JSON. */
async function readPolicyText(source: ConfigSource): Promise<string | undefined> {
  try {
    const document = await (await import("../../policy/read.ts")).readConfigDocument(source);
    return document && formatDocument(document);
  } catch {
    try {
      // Reading a pipe or a device could block.
      return statSync(source.path).isFile() ? readFileSync(source.path, "latin1") : "not a regular file";
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? "";
    }
  }
}
