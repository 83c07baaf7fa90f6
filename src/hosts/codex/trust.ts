import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import type {
  ConfigEntry,
  DoctorContext,
  Finding,
  LoadedConfigFile,
  MachineContext,
} from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { isSameFile, resolveSymbolicLinks } from "../follow-links.ts";
import { createNote, createRedFinding } from "../setup/findings.ts";
import { buildHostEnv } from "../setup/launches.ts";

/** The fields of a hooks/list reply that the trust check uses [seen 0.169.0, 2026-11-22]. */
const ListedHooks = () =>
  v.object({
    hooks: v.array(
      v.object({
        key: v.string(),
        sourcePath: v.string(),
        command: v.nullish(v.string()),
        trustStatus: v.string(),
        enabled: v.boolean(),
        isManaged: v.boolean(),
      }),
    ),
    warnings: v.array(v.string()),
    errors: v.array(v.object({ path: v.string(), message: v.string() })),
  });
type ListedHooks = v.InferOutput<ReturnType<typeof ListedHooks>>;
type CodexHook = ListedHooks["hooks"][number];
const HooksListReply = () => v.object({ id: v.literal(2), result: v.object({ data: v.array(ListedHooks()) }) });

/**
 * Maximum time to wait for Codex's reply. Codex usually replies within 0.1 s, but an npm launcher can take several
 * seconds on a cold disk or a busy machine.
 */
const TIMEOUT_MS = 10_000;

/** Formats all requests at once, because Codex answers them in order. None of them changes trust or any other state. */
const formatRequests = (cwds: readonly string[]) =>
  [
    {
      id: 1,
      method: "initialize",
      params: {
        clientInfo: { name: "bridge-hooks", title: "bridge-hooks", version: "0" },
        capabilities: { experimentalApi: true },
      },
    },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds } },
  ]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("");

/**
 * Start of Codex's warning about a layer with hooks in both files. It is ignored here because doctor.ts reports the
 * problem itself [seen 0.169.0, 2026-11-22].
 */
const SPLIT_HOOKS_WARNING = "loading hooks from both ";

/** Asks Codex which hooks apply in these directories; returns undefined if Codex doesn't reply in time. */
async function listCodexHooks(
  program: string,
  { roots, home, env }: MachineContext,
  hasPlugins: boolean,
): Promise<ListedHooks | undefined> {
  const cwds = roots.length > 0 ? roots : [home];
  // CODEX_SQLITE_HOME moves the database that Codex creates to a scratch directory, which is deleted afterwards. Only
  // an installation_id is left behind [seen 0.169.0, 2026-11-22].
  const scratch = mkdtempSync(join(tmpdir(), "bridge-hooks-"));
  const quietArguments = [
    ...(hasPlugins ? [] : ["-c", "features.plugins=false"]),
    "-c",
    "skills.bundled.enabled=false",
  ];
  let server: Bun.Subprocess<"pipe", "pipe", "ignore">;
  try {
    server = Bun.spawn([program, "app-server", ...quietArguments], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
      cwd: home,
      env: buildHostEnv(env, { CODEX_SQLITE_HOME: scratch }),
    });
  } catch {
    removeScratchFolder(scratch);
    return undefined;
  }
  // An npm launcher forwards SIGTERM to Codex, but can't forward SIGKILL.
  const timers = [
    setTimeout(() => server.kill("SIGTERM"), TIMEOUT_MS),
    setTimeout(() => server.kill("SIGKILL"), TIMEOUT_MS + 500),
  ];
  try {
    server.stdin.write(formatRequests(cwds));
    await server.stdin.flush();
    // The server's child processes can keep the stream open after the server exits.
    return await Promise.race([readReply(server.stdout), Bun.sleep(TIMEOUT_MS).then(() => undefined)]);
  } catch {
    return undefined;
  } finally {
    server.kill("SIGTERM");
    await Promise.race([server.exited, Bun.sleep(1_000)]);
    for (const timer of timers) clearTimeout(timer);
    removeScratchFolder(scratch);
  }
}

/**
 * Deletes the scratch directory. On Windows, a server that is still exiting keeps files open, and those stay in the
 * system's temporary directory.
 */
function removeScratchFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch {
    // A scratch directory that can't be deleted is harmless.
  }
}

async function readReply(stdout: ReadableStream<Uint8Array>): Promise<ListedHooks | undefined> {
  const decoder = new TextDecoder();
  let remainder = "";
  for await (const chunk of stdout) {
    const lines = (remainder + decoder.decode(chunk, { stream: true })).split("\n");
    remainder = lines.pop() ?? "";
    for (const line of lines.filter((text) => text.startsWith("{"))) {
      const message: unknown = JSON.parse(line);
      if (toObject(message).id !== 2) continue;
      const reply = v.safeParse(HooksListReply(), message);
      if (!reply.success) return undefined;
      const { data } = reply.output.result;
      return {
        hooks: data.flatMap(({ hooks }) => hooks),
        warnings: [...new Set(data.flatMap(({ warnings }) => warnings))].filter(
          (text) => !text.startsWith(SPLIT_HOOKS_WARNING),
        ),
        errors: data.flatMap(({ errors }) => errors),
      };
    }
  }
  return undefined;
}

const toSnakeCase = (event: string) => event.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/**
 * Whether a hook in Codex's list is our entry. A hook's key ends with its position,
 * `<file>:pre_tool_use:<group>:<handler>`; for managed hooks, Codex omits the file [seen 0.169.0].
 */
function isForEntry(hook: CodexHook, { native_event, command, path }: ConfigEntry, file: LoadedConfigFile): boolean {
  const name = toSnakeCase(native_event);
  if (file.scope === "managed")
    return hook.isManaged && hook.command === command && hook.key.split(":").at(-3) === name;
  return isSameFile(hook.sourcePath, file.path) && hook.key.endsWith(`:${name}:${path[2]}:${path[4]}`);
}

type TrustProblem = "missing" | "disabled" | "untrusted" | "modified";

function findTrustProblem(
  hooks: readonly CodexHook[],
  entry: ConfigEntry,
  file: LoadedConfigFile,
): TrustProblem | undefined {
  const matchingHooks = hooks.filter((hook) => isForEntry(hook, entry, file));
  if (matchingHooks.length === 0) return "missing";
  if (matchingHooks.some(({ enabled }) => !enabled)) return "disabled";
  return matchingHooks
    .map(({ trustStatus }) => trustStatus)
    .find((status) => status === "untrusted" || status === "modified");
}

const TRUST_FIX = "start codex in a terminal, open /hooks and press t";

function createTrustFinding(problem: TrustProblem, file: LoadedConfigFile, events: string): Finding {
  switch (problem) {
    case "untrusted":
      return createRedFinding(
        "untrusted",
        `${file.path}: not trusted yet: ${events}`,
        "Codex silently skips these entries",
        TRUST_FIX,
      );
    case "modified":
      return createRedFinding(
        "untrusted",
        `${file.path}: ${events} changed after being trusted`,
        "Codex silently skips these entries",
        TRUST_FIX,
      );
    case "disabled":
      return createRedFinding(
        "entry-disabled",
        `${file.path}: ${events} disabled in Codex`,
        "Codex skips these entries",
        "start codex in a terminal, open /hooks and enable them",
      );
    case "missing":
      return createRedFinding(
        "entry-not-listed",
        `${file.path}: Codex does not list ${events}`,
        file.scope === "project"
          ? "none of them run: the project is not trusted, hooks are disabled, or the file does not parse"
          : "none of them run: hooks are disabled, only managed ones are allowed, or the file does not parse",
        file.scope === "project"
          ? `start codex in the project and trust it; then ${TRUST_FIX}`
          : `fix the other findings; then ${TRUST_FIX}`,
      );
  }
}

/** Reports a file's entries, grouped by their trust problem. */
const listTrustFindings = (
  file: LoadedConfigFile,
  findProblem: (entry: ConfigEntry) => TrustProblem | undefined,
): Finding[] =>
  [...Map.groupBy(file.ownEntries, findProblem)].flatMap(([kind, entries]) =>
    kind ? [createTrustFinding(kind, file, entries.map(({ native_event }) => native_event).join(", "))] : [],
  );

function examineListedHooks({ hooks, warnings, errors }: ListedHooks, files: readonly LoadedConfigFile[]): Finding[] {
  const entries = files.flatMap((file) => listTrustFindings(file, (entry) => findTrustProblem(hooks, entry, file)));
  const joinLines = (text: string) => text.replaceAll(/\s*\n\s*/g, " ");
  const createComplaintFinding = (text: string) =>
    (files.some(({ path }) => text.includes(path) || text.includes(resolveSymbolicLinks(path)))
      ? createRedFinding
      : createNote)(
      "host-complains",
      `Codex reports: ${joinLines(text)}`,
      "Codex doesn't run entries that it can't read",
      "fix the problem in that file",
    );
  return [...entries, ...[...warnings, ...errors.map(({ message }) => message)].map(createComplaintFinding)];
}

/**
 * Whether Codex has a trust record for an entry. The record shows that the user once trusted the entry, not that it is
 * unchanged.
 */
function findConfiguredTrustProblem(
  files: readonly LoadedConfigFile[],
  { native_event, path }: ConfigEntry,
  file: LoadedConfigFile,
): TrustProblem | undefined {
  const config = files.find((file) => file.scope === "user" && file.syntax === "toml");
  const state = toObject(toObject(toObject(config?.document).hooks).state);
  const position = `${toSnakeCase(native_event)}:${path[2]}:${path[4]}`;
  // A plugin's key contains the hooks file's path inside the plugin [seen 0.171.0, 2026-11-29].
  const pluginKey = file.plugin && `${file.plugin.id}:${file.path.slice(file.plugin.folder.length + 1)}:${position}`;
  const { trusted_hash, enabled } = toObject(
    state[pluginKey ?? `${file.path}:${position}`] ?? state[`${resolveSymbolicLinks(file.path)}:${position}`],
  );
  if (enabled === false) return "disabled";
  return typeof trusted_hash === "string" ? undefined : "untrusted";
}

/** Checks trust by reading the config files instead of asking Codex. */
function examineConfiguredTrust(files: readonly LoadedConfigFile[], reason: string): Finding[] {
  const checkedFiles = files.filter(
    ({ scope, plugin, ownEntries }) => scope !== "managed" && (plugin || scope !== "system") && ownEntries.length > 0,
  );
  const findings = checkedFiles.flatMap((file) =>
    listTrustFindings(file, (entry) => findConfiguredTrustProblem(files, entry, file)),
  );
  if (
    checkedFiles.every((file) =>
      file.ownEntries.every((entry) => findConfiguredTrustProblem(files, entry, file) !== undefined),
    )
  )
    return findings;
  const impact =
    "Codex silently skips an entry that changed since it was trusted; Codex's config doesn't show such changes";
  return [
    ...findings,
    createRedFinding(
      "trust-unknown",
      reason,
      impact,
      "put codex on PATH and run bridge-hooks doctor again, or check /hooks in codex",
    ),
  ];
}

/** Checks whether Codex reports our entries as trusted. */
export async function examineTrust({ machine, files, program }: DoctorContext): Promise<Finding[]> {
  if (files.every(({ ownEntries }) => ownEntries.length === 0)) return [];
  const hasPlugins = files.some(({ plugin, ownEntries }) => plugin && ownEntries.length > 0);
  const answer = program ? await listCodexHooks(program, machine, hasPlugins) : undefined;
  if (answer) return examineListedHooks(answer, files);
  const timeoutProblem = `${program} did not list its hooks within ${TIMEOUT_MS / 1_000} seconds`;
  return examineConfiguredTrust(files, program ? timeoutProblem : "codex is not on PATH, so doctor can't query it");
}
