import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ConfigFile, OwnFormat } from "../../../src/protocol/host/install.ts";
import { pi as host } from "../../../src/hosts/pi/index.ts";
import { setup as installation } from "../../../src/hosts/pi/install.ts";
import { type HostDriver, hasMarker, hasReachedModel, readProjectFile } from "../driver.ts";
import { getLockedNode } from "../releases.ts";
import {
  buildTerminalCommand,
  isInstalledByExecutable,
  listWantedEvents,
  type RunFolders,
  type RunSetup,
  writeRunFile,
} from "../run.ts";
import { cases } from "./pi-cases.ts";
import { limitCases } from "./pi-limits.ts";
import { terminalCases } from "./pi-terminal.ts";
import { buildBashCall, events, MARK, scenarios } from "./pi-scenarios.ts";

/** Events that fire many times per session, or that require a user in the terminal UI. */
const UNPROVOKED = Object.keys(host.capabilities).filter((name) => !Object.hasOwn(scenarios, name));

/** Builds the extension's source, with entries for the events the run asks for. */
function buildExtension(setup: RunSetup, command: string): string {
  const [{ syntax }] = installation.listConfigFiles({ roots: [], home: "", platform: process.platform, env: {} }) as [
    ConfigFile,
  ];
  const { write } = syntax as OwnFormat;
  const flags = setup.flags?.split(" ").filter(Boolean) ?? [];
  const entry = (name: string) => ({
    command,
    args: ["--host", "pi", ...flags, "--event", name],
    timeout: 20,
    ...setup.entry,
  });
  const wanted = listWantedEvents(setup, events, UNPROVOKED);
  return write(JSON.stringify({ hooks: Object.fromEntries(wanted.map((name) => [name, [entry(name)]])) }));
}

const ALL_TOOLS: Partial<RunSetup> = { steps: [{ args: ["--tools", "+grep,+find,+ls"] }] };

function configure(setup: RunSetup, { home, project, url }: RunFolders, probe: string): void {
  const folder = join(home, ".pi/agent");
  const model = {
    id: "mock",
    name: "mock",
    reasoning: false,
    input: ["text"],
    contextWindow: 100_000,
    maxTokens: 1000,
  };
  const provider = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "x", models: [model] };
  writeRunFile(join(folder, "models.json"), JSON.stringify({ providers: { mock: provider } }));
  // Compaction keeps only the messages since the last prompt and summarizes the earlier ones.
  const settings = join(folder, "settings.json");
  if (!existsSync(settings)) writeRunFile(settings, JSON.stringify({ compaction: { keepRecentTokens: 1 } }));
  const server = { command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")], exposure: "direct" };
  if (setup.mcp) writeRunFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers: { tiny: server } }));
  if (isInstalledByExecutable(setup)) return;
  const place = setup.scope === "project" ? join(project, ".pi") : folder;
  writeRunFile(join(place, "extensions/bridge-hooks.js"), buildExtension(setup, setup.executable ?? probe));
}

export const driver: HostDriver = {
  host,
  // pi might require a newer version of Node than the system has.
  program: getLockedNode,
  runner: (release, probe) => {
    const node = getLockedNode(release.folder);
    const main = join(release.folder, "node_modules/@earendil-works/pi-coding-agent/dist/cli.js");
    return {
      release,
      path: `${join(release.folder, "node_modules/.bin")}:${dirname(node)}`,
      configure: (setup, place) => configure(setup, place, probe),
      start({ args, app, terminal, prompt = "do it" }, { trusting }) {
        const common = [node, main, "--offline", "--provider", "mock", "--model", "mock"];
        const argv = [...common, ...(trusting ? ["--approve"] : [])];
        return {
          argv: app
            ? [process.execPath, join(import.meta.dir, "pi-rpc.ts"), JSON.stringify(app), ...argv]
            : terminal
              ? [...buildTerminalCommand(terminal), ...argv, "--tui-mode", "regular"]
              : [...argv, ...(args ?? []), "-p", prompt],
          env: {
            ...{ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
            ...(terminal && { TERM: "xterm-256color" }),
          },
        };
      },
    };
  },
  scenarios,
  unprovoked: {
    ...Object.fromEntries(
      UNPROVOKED.map((name) => [name, "omitted to keep the runs short: the event decides nothing"]),
    ),
    session_before_tree: "requires a user in the terminal UI",
  },
  // Messages go to stderr without a client, and are sent as notifications with one.
  shown: ({ sessions }) =>
    sessions
      .flatMap(({ stdout, stderr }) => [
        stderr,
        ...stdout
          .split("\n")
          .filter((line) => line.includes('"method":"notify"'))
          .map((line) => (JSON.parse(line) as { message: string }).message),
      ])
      .join("\n"),
  bash: buildBashCall,
  several: [{ scopes: ["user", "project"], times: 2 }],
  elsewhere: true,
  missing: { blocks: "*" },
  sharesCalls: true,
  actions: {
    bash: { calls: [MARK], tool: "bash", done: hasMarker },
    write: {
      calls: [{ name: "write", input: { path: "added.txt", content: "text\n" } }],
      tool: "write",
      done: (run) => readProjectFile(run, "added.txt") !== undefined,
    },
    edit: {
      calls: [{ name: "edit", input: { path: "edited.txt", edits: [{ oldText: "one", newText: "two" }] } }],
      tool: "edit",
      done: (run) => readProjectFile(run, "edited.txt") === "two\n",
      setup: { files: { "edited.txt": "one\n" } },
    },
    read: {
      calls: [{ name: "read", input: { path: "there.txt" } }],
      tool: "read",
      done: (run) => hasReachedModel(run, "SECRET"),
      setup: { files: { "there.txt": "SECRET\n" } },
    },
    // The next three tools are inactive by default, and two of them run programs that pi would download.
    find: {
      calls: [{ name: "find", input: { pattern: "*.list" } }],
      tool: "find",
      done: (run) => ["found.list", "fd is not available"].some((text) => hasReachedModel(run, text)),
      setup: { files: { "found.list": "" }, ...ALL_TOOLS },
    },
    ls: {
      calls: [{ name: "ls", input: { path: "listed" } }],
      tool: "ls",
      done: (run) => hasReachedModel(run, "in-folder.txt"),
      setup: { files: { "listed/in-folder.txt": "" }, ...ALL_TOOLS },
    },
    grep: {
      calls: [{ name: "grep", input: { pattern: "NEED.E", glob: "*.hay" } }],
      tool: "grep",
      done: (run) => ["NEEDLE-42", "(rg) is not available"].some((text) => hasReachedModel(run, text)),
      setup: { files: { "stack.hay": "NEEDLE-42\n" }, ...ALL_TOOLS },
    },
    "an MCP tool": {
      calls: [{ name: "mcp__tiny__echo", input: { text: "hello" } }],
      tool: "mcp__tiny__echo",
      done: (run) => hasReachedModel(run, "echo: hello"),
      setup: { mcp: true, ...ALL_TOOLS },
    },
  },
  cases: [...cases, ...limitCases, ...terminalCases],
};
