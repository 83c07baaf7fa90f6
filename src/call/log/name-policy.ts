import { existsSync } from "node:fs";
import { listConfigSources } from "../../policy/sources.ts";
import type { OwnPolicy } from "../built/policy.ts";
import { hashPolicy, type PolicyDocument } from "./policy-hash.ts";

/**
 * Returns the name, version and hash of the policy in effect in a project's directories.
 * @param documents config files that have already been read, keyed by path; undefined if there are none
 */
export async function describePolicy(
  { name = "bridge-hooks", version, release, hooks, hash }: OwnPolicy,
  folders: readonly string[],
  documents: ReadonlyMap<string, PolicyDocument> | undefined,
): Promise<{ name: string; version: string; hash: string }> {
  const hashedDocuments = documents
    ? listConfigSources(...folders).filter(({ path }) => documents.has(path) || existsSync(path))
    : [];
  return {
    name,
    version: version ?? release,
    hash: documents && hashedDocuments.length > 0 ? (await hashPolicy(hooks, hashedDocuments, documents)).hash : hash,
  };
}
