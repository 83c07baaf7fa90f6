import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { scaleMs, waitFor } from "../../support/machine.ts";
import { getSubagentState } from "../model.ts";
import { CACHE_FOLDER } from "../releases.ts";
import { PATH, type RunFolders, writeRunFile, type SessionResult } from "../run.ts";

/** What a gateway needs for one run. */
export interface GatewayOrder {
  place: RunFolders;
  /** The plugin's source code. */
  plugin: string;
  prompts: readonly string[];
  /** Whether prompts are sent through the chat by a client that can answer approval requests. */
  chat?: boolean;
  /**
   * Whether the run ends only after the last turn in the model's script. Needed if a subagent continues after the turn
   * that started it.
   */
  settles?: boolean;
  bound: number;
}

type JsonObject = Record<string, unknown>;
interface PendingRequest {
  done: (payload: JsonObject) => void;
  fail: (error: Error) => void;
  final: boolean;
}

const PLUGIN = "bridge-hooks";
const TOKEN = "dummy-token";
/** How long the model must receive no request for a run to count as ended, depending on the subagent's state. */
const QUIET_MS = { waiting: scaleMs(4_000), working: scaleMs(15_000), ended: scaleMs(1_000) };
const gateways = new Set<ChildProcess>();
process.on("exit", () => gateways.forEach((child) => child.kill("SIGKILL")));

/** Variables that make startup quick and quiet: no bundled plugins, no second process, no update checks. */
export const QUICK_ENVIRONMENT: Readonly<Record<string, string>> = {
  OPENCLAW_NO_AUTO_UPDATE: "1",
  OPENCLAW_OFFLINE: "1",
  OPENCLAW_DISABLE_BONJOUR: "1",
  OPENCLAW_NO_RESPAWN: "1",
  OPENCLAW_DISABLE_BUNDLED_PLUGINS: "1",
  NODE_COMPILE_CACHE: join(CACHE_FOLDER, "node-cache"),
};

/** Builds a config in which the scripted model is the only one. */
export const buildConfig = (url: string, workspace: string, port: number) => ({
  gateway: { mode: "local", port, bind: "loopback", auth: { mode: "token", token: TOKEN } },
  models: {
    mode: "merge",
    providers: {
      fake: {
        baseUrl: url,
        apiKey: "dummy",
        api: "anthropic-messages",
        models: [
          {
            id: "m",
            name: "m",
            reasoning: false,
            input: ["text"],
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
            contextWindow: 100_000,
            maxTokens: 4_000,
          },
        ],
      },
    },
  },
  agents: { defaults: { model: { primary: "fake/m" }, workspace, skipBootstrap: true, heartbeat: { every: "0m" } } },
});

/** An MCP server, used only with gateways. In other runs, it would start in the host's working directory. */
export const MCP_CONFIG = {
  mcp: { servers: { tiny: { command: process.execPath, args: [join(import.meta.dir, "../mcp.ts")] } } },
};

const MOST_STARTS = 4;

/** A gateway that serves multiple runs, one at a time. */
export class Gateway {
  private readonly waiting = new Map<string, PendingRequest>();
  private events: JsonObject[] = [];
  private ids = 0;
  private target = "";
  private lastAsked = 0;
  private socket: WebSocket | undefined;
  /** Forwards the gateway's model requests to the model for the current run. */
  private readonly proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 255,
    fetch: async (request) => {
      this.lastAsked = performance.now();
      return fetch(this.target + new URL(request.url).pathname, {
        method: request.method,
        headers: { "content-type": "application/json" },
        ...(request.method === "POST" && { body: await request.text() }),
      });
    },
  });

  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  /** Starts a gateway in its own directory, with the plugin's files in place as if it had been installed. */
  static async open(
    number: number,
    [node = "", program = ""]: readonly string[],
    install: (home: string, config: object) => void,
  ) {
    const folder = join(CACHE_FOLDER, `openclaw-${number}`);
    rmSync(folder, { recursive: true, force: true });
    for (const name of ["home", "work", "tmp"]) mkdirSync(join(folder, name), { recursive: true });
    const port = 28_789 + number * 100;
    const env = {
      PATH: `${dirname(node)}:${PATH}`,
      HOME: join(folder, "home"),
      TMPDIR: join(folder, "tmp"),
      XDG_RUNTIME_DIR: join(folder, "tmp"),
      TERM: "dumb",
      LANG: "C.UTF-8",
      ...QUICK_ENVIRONMENT,
    };
    const gateway = new Gateway(folder, {} as ChildProcess);
    install(env.HOME, {
      ...buildConfig(`http://127.0.0.1:${gateway.proxy.port}`, join(folder, "work"), port),
      ...MCP_CONFIG,
    });
    for (let start = 1; ; start++) {
      const log = openSync(join(folder, "log"), "w");
      const child = spawn(node, [program, "gateway", "run"], {
        cwd: join(folder, "work"),
        env,
        stdio: ["ignore", log, log],
      });
      closeSync(log);
      gateways.add(child);
      Object.assign(gateway, { child });
      try {
        await gateway.connect(port);
        return gateway;
      } catch (error) {
        // On a busy machine, the gateway exits if its state lease isn't ready after five seconds [2026.9.6,
        // 2026-11-27].
        if (gateway.alive || start === MOST_STARTS) throw error;
      }
    }
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  private get log(): string {
    return readFileSync(join(this.folder, "log"), "utf8");
  }

  private async connect(port: number): Promise<void> {
    const until = performance.now() + scaleMs(90_000);
    for (;;) {
      if (!this.alive || performance.now() > until)
        throw new Error(`the gateway did not start: ${this.log.slice(-500)}`);
      try {
        return await this.greet(port);
      } catch {
        await Bun.sleep(200);
      }
    }
  }

  private async greet(port: number): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    const challenged = new Promise<void>((resolve, reject) => {
      socket.onerror = () => reject(new Error("not yet"));
      socket.onclose = () => reject(new Error("not yet"));
      socket.onmessage = ({ data }) => this.take(JSON.parse(String(data)) as JsonObject, resolve);
    });
    this.socket = socket;
    await challenged;
    socket.onclose = () => this.waiting.forEach(({ fail }) => fail(new Error("the gateway closed the connection")));
    await this.call("connect", {
      minProtocol: 4,
      maxProtocol: 4,
      client: { id: "gateway-client", mode: "backend", version: "1", platform: "linux" },
      role: "operator",
      scopes: ["operator.admin", "operator.read", "operator.write", "operator.approvals"],
      caps: ["approvals", "plugin-approvals"],
      auth: { token: TOKEN },
    });
  }

  private take(message: JsonObject, challenge: () => void): void {
    if (message.type === "event") {
      if (message.event === "connect.challenge") challenge();
      this.events.push(message);
      // Decline every approval request, since the run is unattended.
      const { id } = (message.payload ?? {}) as JsonObject;
      if (message.event === "plugin.approval.requested")
        void this.call("plugin.approval.resolve", { id, decision: "deny" }).catch(() => {});
      return;
    }
    const waiting = this.waiting.get(String(message.id));
    const payload = (message.payload ?? {}) as JsonObject;
    if (!waiting || (waiting.final && message.ok && payload.status === "accepted")) return;
    this.waiting.delete(String(message.id));
    if (message.ok) waiting.done(payload);
    else waiting.fail(new Error(JSON.stringify(message.error)));
  }

  private call(method: string, params: JsonObject, final = false): Promise<JsonObject> {
    return new Promise((done, fail) => {
      const id = String(++this.ids);
      this.waiting.set(id, { done, fail, final });
      this.socket?.send(JSON.stringify({ type: "req", id, method, params }));
    });
  }

  /** Performs one run: loads the plugin with its entries, then sends the session's prompts. */
  async run(order: GatewayOrder): Promise<SessionResult> {
    const started = performance.now();
    const before = this.log.length;
    this.events = [];
    this.target = order.place.url;
    let timer: Timer | undefined;
    const late = new Promise<"late">(
      (resolve) => (timer = setTimeout(() => resolve("late"), scaleMs(order.bound * 1000))),
    );
    const ended = await Promise.race([
      this.prompted(order).catch((error: Error) => ({ code: 1, stdout: error.message })),
      late,
    ]);
    clearTimeout(timer);
    const hung = ended === "late";
    if (hung) await this.close();
    endProcesses(order.place);
    const asked = this.events.filter(({ event }) => /approval|^chat$/.test(String(event)));
    const stdout = [hung ? "" : ended.stdout, ...asked.map((event) => JSON.stringify(event))].join("\n");
    const seconds = (performance.now() - started) / 1000;
    const home = join(this.folder, "home");
    return { code: hung ? null : ended.code, stdout, stderr: this.log.slice(before), seconds, hung, home };
  }

  private async prompted({
    place,
    plugin,
    prompts,
    chat,
    settles,
  }: GatewayOrder): Promise<{ code: number; stdout: string }> {
    const file = join(this.folder, "home/.openclaw/extensions", PLUGIN, "index.mjs");
    writeFileSync(`${file}.new`, plugin);
    renameSync(`${file}.new`, file);
    await this.reload();
    const key = `agent:main:${basename(place.run).toLowerCase()}`;
    const made = await this.call("sessions.create", { key, agentId: "main", model: "fake/m", cwd: place.project });
    const sessionKey = String(made.key ?? key);
    const said: string[] = [];
    let code = 0;
    for (const [index, message] of prompts.entries()) {
      const idempotencyKey = `${basename(place.run)}-${index}-${this.ids}`;
      const result = chat
        ? await this.call("agent.wait", {
            runId: (await this.call("chat.send", { sessionKey, message, idempotencyKey })).runId,
            timeoutMs: scaleMs(50_000),
          })
        : await this.call("agent", { message, agentId: "main", sessionKey, idempotencyKey }, true);
      if (result.status !== "ok") code = 1;
      said.push(JSON.stringify(result));
    }
    if (settles) await this.settled(basename(place.run));
    // If the session were only reset, the agent would greet the next one.
    await this.call("sessions.delete", { key: sessionKey });
    return { code, stdout: said.join("\n") };
  }

  /** Reloads the plugin. Work left over from an earlier run delays this. */
  private async reload(until = performance.now() + scaleMs(15_000)): Promise<void> {
    try {
      await this.call("plugins.reload", { plugins: [{ pluginId: PLUGIN }] });
    } catch (error) {
      if (performance.now() > until) throw error;
      await Bun.sleep(100);
      return this.reload(until);
    }
  }

  private async settled(run: string): Promise<void> {
    while (performance.now() - this.lastAsked < QUIET_MS[getSubagentState(run)]) await Bun.sleep(20);
  }

  async close(): Promise<void> {
    this.child.kill("SIGTERM");
    await waitFor(() => !this.alive, "the end of the gateway", scaleMs(5_000)).catch(() => this.child.kill("SIGKILL"));
    gateways.delete(this.child);
    void this.proxy.stop(true);
  }
}

/** Returns the file that lists the process IDs of a run's executables. */
export const getPidsFile = ({ run }: RunFolders): string => join(run, "pids");

const getWrapperFile = ({ run }: RunFolders): string => join(run, "executable");

/** Ends the run's processes. The gateway keeps running but can't start new ones for events it reports late. */
function endProcesses(place: RunFolders): void {
  rmSync(getWrapperFile(place), { force: true });
  const file = getPidsFile(place);
  if (!existsSync(file)) return;
  for (const pid of readFileSync(file, "utf8").trim().split("\n")) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // The process has already exited.
    }
  }
}

/**
 * Writes an executable that records its process ID for the run, then runs the given one with the directory and
 * environment of the host's launch.
 */
export function wrapExecutable(
  executable: string,
  place: RunFolders,
  env: Readonly<Record<string, string>> = {},
): string {
  const file = getWrapperFile(place);
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const variables = Object.entries({ BRIDGE_E2E_RUN: place.run, ...env }).map(
    ([name, value]) => `export ${name}=${quoted(value)}`,
  );
  const lines = [
    `echo $$ >> ${quoted(getPidsFile(place))}`,
    // Check only after recording the ID: a process that starts while the run is ending is then either in the list or
    // exits here.
    `[ -e ${quoted(file)} ] || exit 1`,
    `cd ${quoted(place.project)}`,
    ...variables,
    `exec ${quoted(executable)} "$@"`,
  ];
  writeRunFile(file, `#!/bin/sh\n${lines.join("\n")}\n`);
  Bun.spawnSync(["chmod", "+x", file]);
  return file;
}
