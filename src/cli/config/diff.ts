import { resolve } from "node:path";
import { runInTempDir } from "../../author/testing/temp-dir.ts";
import { hosts as allHosts } from "../../hosts/index.ts";
import type { Host } from "../../protocol/host/host.ts";
import { readConfigDocument } from "../../policy/read.ts";
import { type ConfigScope, type ConfigSource, listConfigSources, withProposedConfig } from "../../policy/sources.ts";
import { hideSecretsIn } from "../../call/log/redact.ts";
import { homedir } from "../../system/home.ts";
import { formatNumber } from "../../operate/text.ts";
import { identifyPolicy } from "../../operate/policy/identity.ts";
import type { HookSet } from "../find-hooks.ts";
import { replayHistory } from "../replay/history/history.ts";
import { readLoggedLines } from "../replay/history/logged-calls.ts";
import { createOwnPolicy } from "../replay/history/policy.ts";
import { createProgress } from "../terminal/progress.ts";
import { diffDocuments } from "./diff-documents.ts";
import type { ConfigDiffReport } from "./diff-report.ts";
import { runWithProposedFile } from "./proposed.ts";
import { resolveConfigScope } from "./scope.ts";

/** The name that stands for the installed file. */
export const CURRENT_FILE_NAME = "current";

/** The files to compare. */
export interface DiffRequest {
  /** Paths, `-` for stdin, or `current`. */
  a: string;
  b: string;
  scope: ConfigScope | undefined;
  hosts: readonly Host[];
  /** Replay calls since this time, in milliseconds since the epoch; absent to replay no calls. */
  since?: number;
}

/** One of the two compared files. `source` is undefined for the installed file. */
interface ComparedFile {
  name: string;
  source: ConfigSource | undefined;
}

/**
 * Compares the settings of two config files, and the decisions that each of them leads to on past calls.
 * @throws Error with the findings, if a file is invalid.
 */
export async function diffConfigs(order: DiffRequest, hooks: HookSet): Promise<ConfigDiffReport> {
  const { a, b, hosts, since } = order;
  const scope = resolveScope(order);
  return withComparedFile(a, scope, hooks, (first) =>
    withComparedFile(b, scope, hooks, async (second) => {
      const [before, after] = [await readComparedFile(first, scope), await readComparedFile(second, scope)];
      return {
        scope,
        a: await describeComparedFile(first, hooks),
        b: await describeComparedFile(second, hooks),
        differences: await hideSecretsIn(diffDocuments(before, after)),
        ...(since !== undefined && { calls: await compareCalls([first, second], { hosts, since }, hooks) }),
      };
    }),
  );
}

/**
 * Determines the scope in which both files are read: the requested scope, or else the scope of a compared file that is
 * installed, or else the scope derived from the first path.
 */
function resolveScope({ a, b, scope }: DiffRequest): ConfigScope {
  const files = [a, b].filter((file) => file !== CURRENT_FILE_NAME && file !== "-");
  const sources = listConfigSources(process.cwd());
  const installedSource = sources.find(({ path }) => files.some((file) => resolve(file) === path));
  return scope ?? installedSource?.scope ?? resolveConfigScope(files[0] ?? "", undefined, process.cwd());
}

const withComparedFile = <T>(
  name: string,
  scope: ConfigScope,
  hooks: HookSet,
  work: (side: ComparedFile) => Promise<T>,
): Promise<T> =>
  name === CURRENT_FILE_NAME
    ? work({ name, source: undefined })
    : runWithProposedFile({ file: name, scope }, hooks, (source, rename) =>
        work({ name: rename(source.path), source }),
      );

/** Reads one file's document. The document is empty if no file is installed. */
const readComparedFile = ({ source }: ComparedFile, scope: ConfigScope) =>
  withProposedConfig(source, async () => {
    const installed = listConfigSources(process.cwd()).find((candidate) => candidate.scope === scope);
    return (installed && (await readConfigDocument(installed))) ?? {};
  });

const describeComparedFile = async ({ name, source }: ComparedFile, hooks: HookSet) => ({
  file: name,
  policy: await withProposedConfig(source, () => identifyPolicy(hooks, process.cwd())),
});

/** Replays past calls with both files. */
async function compareCalls(
  [first, second]: readonly [ComparedFile, ComparedFile],
  { hosts, since }: { hosts: readonly Host[]; since: number },
  hooks: HookSet,
): Promise<ConfigDiffReport["calls"]> {
  const progress = createProgress();
  const log = readLoggedLines(process.env, since);
  const createFilePolicy = ({ source }: ComparedFile) => createOwnPolicy(hooks.entries, [], { config: source });
  const { unasked: _, ...result } = await runInTempDir(({ folder }) =>
    replayHistory({
      hosts: hosts.length > 0 ? hosts : allHosts,
      from: "either",
      policy: createFilePolicy(second),
      other: createFilePolicy(first),
      machine: { home: homedir(), env: process.env, platform: process.platform },
      ...{ since, folder, log },
      onProgress: ({ name }, state, files) =>
        progress.show(() => `${name}: file ${state.files} of ${files}, ${formatNumber(state.records)} records`),
    }),
  );
  progress.clear();
  return hideSecretsIn({ since: since === 0 ? null : new Date(since).toISOString(), ...result });
}

/** Whether the files differ in any setting or decision. */
export const hasDifferences = ({ differences, calls }: ConfigDiffReport): boolean =>
  differences.length > 0 || (calls?.totals.changed ?? 0) > 0;
