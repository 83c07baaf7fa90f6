import { join } from "node:path";
import { stringify } from "smol-toml";
import { kimi as host } from "../../../src/hosts/kimi/index.ts";
import { buildRawDocument, type HostDriver } from "../driver.ts";
import { findNode } from "../releases.ts";
import {
  buildTerminalCommand,
  isInstalledByExecutable,
  listWantedEvents,
  type RunSetup,
  writeRunFile,
} from "../run.ts";
import { cases } from "./kimi-cases.ts";
import { actions, buildShellCall, scenarios, typed } from "./kimi-scenarios.ts";

/** Builds a config that uses the scripted model and turns off background features. */
const buildConfig = (url: string, hooks: readonly object[]) =>
  stringify({
    default_model: "mock",
    telemetry: false,
    providers: { mock: { type: "openai", base_url: `${url}/v1`, api_key: "x" } },
    models: { mock: { provider: "mock", model: "mock", max_context_size: 100_000 } },
    ...(hooks.length > 0 && { hooks }),
  });

const getProgram = (folder: string) => join(folder, "node_modules/@moonshot-ai/kimi-code/dist/main.mjs");
/** Events that don't get an entry unless a case tests them. */
const QUIET = [
  "PermissionRequest",
  "PermissionResult",
  "Interrupt",
  "UserPromptQueued",
  "TurnStarted",
  "TaskStarted",
  "SessionHeartbeat",
];

function listEntries(setup: RunSetup, probe: string): object[] {
  if (isInstalledByExecutable(setup)) return [];
  return listWantedEvents(setup, Object.keys(host.capabilities), QUIET).map((event) => ({
    event,
    command: `"${setup.executable ?? probe}" --host kimi --event ${event} ${setup.flags ?? ""}`.trim(),
    timeout: 20,
    ...setup.entry,
  }));
}

export const driver: HostDriver = {
  host,
  program: getProgram,
  runner: (release, probe) => ({
    release,
    path: release.folder,
    configure(setup, place) {
      writeRunFile(
        join(place.home, ".kimi-code/config.toml"),
        (setup.config?.before ?? "") + buildConfig(place.url, listEntries(setup, probe)) + (setup.config?.after ?? ""),
      );
      const servers = { tiny: { command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")] } };
      if (setup.mcp) writeRunFile(join(place.home, ".kimi-code/mcp.json"), JSON.stringify({ mcpServers: servers }));
    },
    start({ args, prompt = "do it", terminal }) {
      const kimi = [findNode(release.folder), getProgram(release.folder)];
      return {
        argv: terminal ? [...buildTerminalCommand(terminal), ...kimi] : [...kimi, ...(args ?? ["-p", prompt])],
        env: {
          KIMI_CODE_NO_AUTO_UPDATE: "1",
          NODE_COMPILE_CACHE: join(release.folder, "compiled"),
          ...(terminal ? { TERM: "xterm-256color" } : { CI: "1" }),
        },
      };
    },
  }),
  scenarios,
  unprovoked: {
    SessionHeartbeat: "fires once a minute",
    UserPromptQueued: "a prompt that waits in the terminal does not fire this event",
  },
  raw: buildRawDocument,
  shown: ({ sessions }) => sessions.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n"),
  bash: buildShellCall,
  several: [],
  ending: typed,
  missing: { passes: "*" },
  sharesCalls: true,
  actions,
  cases,
};
