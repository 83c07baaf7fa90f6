import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { scaleMs, waitFor } from "../../support/machine.ts";
import { CACHE_FOLDER } from "../releases.ts";
import { buildHostEnvironment, type SessionResult, type RunSetup } from "../run.ts";

/** What a client of the server does in the run's session. Defaults to a single prompt. */
export type OpenCodeAction =
  | { do: "prompt"; text?: string }
  /** Runs the user's custom command `say`. */
  | { do: "command" }
  | { do: "delete" };

interface ServerEvent {
  directory?: string;
  payload?: { type: string; properties: Record<string, string> };
}

/** A project's state on the server. */
interface ServedProject {
  toasts: string[];
  /** IDs of the sessions that are busy. */
  busy: Set<string>;
  /** When the last busy session became idle. */
  idle: number;
  disposed: boolean;
}

/** Time limit for answers from the server itself. A busy model might take longer. */
const ANSWER_TIMEOUT_MS = scaleMs(60_000);
/** If the server doesn't report within this time that it has released a project, it missed the event. */
const DISPOSED_MS = scaleMs(2_000);
/** A hook's message is shown within this time, if at all. */
const SHOWN_MS = scaleMs(2_000);
/** If a hook denies the end of a turn, the agent continues within this time, if at all. */
const SETTLED_MS = scaleMs(1_000);

/** An `opencode serve` process shared by multiple runs, each with its own project. */
export class OpenCodeServer {
  private readonly projects = new Map<string, ServedProject>();
  private timer?: Timer;

  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
    private readonly home: string,
  ) {}

  static async start(
    program: string,
    env: Readonly<Record<string, string>>,
    furnish: (home: string) => void,
  ): Promise<OpenCodeServer> {
    const folder = join(CACHE_FOLDER, "runs");
    mkdirSync(folder, { recursive: true });
    const run = mkdtempSync(join(folder, "s"));
    const home = join(run, "home");
    for (const path of [home, join(run, "tmp")]) mkdirSync(path);
    furnish(home);
    const { BRIDGE_E2E_RUN: _, ...usual } = buildHostEnvironment({ run, home, project: home, etc: "", url: "" });
    const child = spawn(program, ["serve", "--hostname", "127.0.0.1", "--port", "0"], {
      cwd: home,
      env: { ...usual, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    process.on("exit", () => child.kill("SIGKILL"));
    const url = await new Promise<string>((resolve, reject) => {
      let text = "";
      const take = (chunk: Buffer) => {
        text += chunk;
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
        if (found) resolve(found);
      };
      child.stdout.on("data", take);
      child.stderr.on("data", take);
      child.on("exit", (code) => reject(new Error(`opencode serve ended with exit code ${code}: ${text}`)));
    });
    const server = new OpenCodeServer(child, url, home);
    // Without requests, the server can stall for seconds [seen 1.18.33, 2026-11-22].
    server.timer = setInterval(
      () => void fetch(`${url}/global/health`, { signal: AbortSignal.timeout(250) }).catch(() => {}),
      300,
    );
    // The event stream ends with the server.
    server.listen().catch(() => {});
    return server;
  }

  close(): void {
    clearInterval(this.timer);
    this.child.kill("SIGKILL");
  }

  /** Records the server's events, grouped by project. */
  private async listen(): Promise<void> {
    const { body } = await fetch(`${this.url}/global/event`);
    let text = "";
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      const lines = (text + Buffer.from(chunk).toString()).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("data:")) this.note(JSON.parse(line.slice(5)) as ServerEvent);
    }
  }

  private note({ directory = "", payload }: ServerEvent): void {
    const project = this.projects.get(directory);
    if (!project || !payload) return;
    const { type, properties } = payload;
    if (type === "tui.toast.show") project.toasts.push(String(properties.message));
    if (type === "session.idle") {
      project.busy.delete(String(properties.sessionID));
      project.idle = performance.now();
    }
    if (type === "session.status" && JSON.stringify(properties.status).includes('"busy"'))
      project.busy.add(String(properties.sessionID));
    if (type === "server.instance.disposed") project.disposed = true;
    if (type === "permission.asked")
      void this.call(directory, "POST", `/session/${properties.sessionID}/permissions/${properties.id}`, {
        response: "once",
      });
  }

  private async call(directory: string, method: string, path: string, body?: object) {
    const response = await fetch(this.url + path, {
      method,
      headers: { "content-type": "application/json", "x-opencode-directory": encodeURIComponent(directory) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const text = await response.text();
    return { ok: response.ok, text };
  }

  /** Runs a session in a project until the server releases the project. */
  async session(
    directory: string,
    { plan = [] }: RunSetup,
    actions: readonly OpenCodeAction[],
  ): Promise<SessionResult> {
    const started = performance.now();
    const project: ServedProject = { toasts: [], busy: new Set(), idle: 0, disposed: false };
    this.projects.set(directory, project);
    const texts: string[] = [];
    let [code, hung] = [0, false];
    try {
      const { text } = await this.call(directory, "POST", "/session", { title: "run" });
      const path = `/session/${(JSON.parse(text) as { id: string }).id}`;
      for (const action of actions) {
        const { ok, text } = await this.act(directory, path, action);
        texts.push(text);
        if (!ok) code = 1;
      }
      await this.settle(
        project,
        plan.some(({ event }) => event === "session.idle"),
      );
      const tells = plan.some(
        ({ event, answer }) => answer?.user_message || (answer?.reason && !event.startsWith("tool.")),
      );
      const until = performance.now() + SHOWN_MS;
      while (tells && project.toasts.length === 0 && performance.now() < until) await Bun.sleep(20);
      const { text: messages } = await this.call(directory, "GET", `${path}/message`);
      texts.push(messages);
      await this.call(directory, "POST", "/instance/dispose", {});
      await waitFor(() => project.disposed, "the end of the project", DISPOSED_MS).catch(() => {});
    } catch (error) {
      hung = (error as Error).name === "TimeoutError";
      texts.push(String(error));
      code = 1;
    }
    return {
      code,
      stdout: texts.join("\n"),
      stderr: project.toasts.join("\n"),
      seconds: (performance.now() - started) / 1000,
      hung,
      home: this.home,
    };
  }

  private act(directory: string, path: string, action: OpenCodeAction) {
    switch (action.do) {
      case "prompt":
        return this.call(directory, "POST", `${path}/message`, {
          parts: [{ type: "text", text: action.text ?? "do it" }],
        });
      case "command":
        return this.call(directory, "POST", `${path}/command`, { command: "say", arguments: "it" });
      case "delete":
        return this.call(directory, "DELETE", path);
    }
  }

  private async settle(project: ServedProject, long: boolean): Promise<void> {
    const until = performance.now() + ANSWER_TIMEOUT_MS;
    const quiet = () => project.busy.size === 0 && performance.now() - project.idle > (long ? SETTLED_MS : 0);
    while (!quiet() && performance.now() < until) await Bun.sleep(20);
  }
}
