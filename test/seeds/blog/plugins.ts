import { expect } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { getHost, withTempFolder, installEntries } from "./checks.ts";

/**
 * An executable with the same answer to every call, which saves the last event; for plugins, which do not pass
 * variables on.
 */
function answering(executable: string, folder: string, answer: IHookResponse): string {
  const command = join(folder, "program");
  const started = `echo >> '${folder}/starts'`;
  const quoted = `'${JSON.stringify(answer).replaceAll("'", "'\\''")}'`;
  writeFileSync(
    command,
    `#!/bin/sh\n${started}\nSEEDS_ANSWER=${quoted} SEEDS_EVENT='${folder}/event.json' exec '${executable}' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  return command;
}

/**
 * The module that `install` writes for a host, with an executable that gives this answer, for all events and these
 * names.
 */
async function written(
  executable: string,
  folder: string,
  id: string,
  answer: IHookResponse,
  names: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const setup = await getHost(id).setup();
  const program = answering(executable, folder, answer);
  const [file] = setup
    .listConfigFiles({ roots: [], home: folder, platform: "linux", env: {} })
    .filter(({ scope }) => scope === "user");
  if (typeof file?.syntax !== "object") throw new Error(`${id} has no module`);
  const order = { program, on_error: "deny", scope: "user", platform: "linux" } as const;
  const events = new Set([...setup.planSubscriptions("all").map(({ native_event }) => native_event), ...names]);
  const entries = [...events].map((native_event) => [native_event, [setup.buildHandler({ native_event, ...order })]]);
  const module = join(folder, `module${file.path.endsWith(".mjs") ? ".mjs" : ".js"}`);
  writeFileSync(
    module,
    file.syntax.before + JSON.stringify({ hooks: Object.fromEntries(entries) }) + file.syntax.after,
  );
  return (await import(module)) as Record<string, unknown>;
}

type Handler = (...given: unknown[]) => Promise<unknown>;

export interface PluginUnderTest {
  /** Calls a handler that the plugin registered. */
  call: (name: string, ...given: unknown[]) => Promise<unknown>;
  /** The names of the registered handlers. */
  names: string[];
  /** The last event that the hook saw. */
  event: () => Record<string, unknown> | undefined;
  /** The number of processes that the executable ran in. */
  starts: () => number;
  /** Messages to people. */
  told: string[];
}

async function withPlugin(
  folder: string,
  { handlers, told, end }: { handlers: Record<string, Handler>; told: string[]; end: () => unknown },
  work: (plugin: PluginUnderTest) => Promise<void>,
): Promise<void> {
  const seen = join(folder, "event.json");
  const event = () => {
    try {
      return existsSync(seen) ? (JSON.parse(readFileSync(seen, "utf8")) as Record<string, unknown>) : undefined;
    } catch {
      // It is being written.
      return undefined;
    }
  };
  const starts = () => readFileSync(join(folder, "starts"), "utf8").length;
  const call = (name: string, ...given: unknown[]) => (handlers[name] as Handler)(...given);
  try {
    await work({ call, names: Object.keys(handlers), event, starts, told });
  } finally {
    await end();
  }
}

/** OpenCode's plugin, loaded as OpenCode loads it. */
export const withOpenCodePlugin = (
  executable: string,
  answer: IHookResponse,
  work: (plugin: PluginUnderTest) => Promise<void>,
  names: readonly string[] = [],
) =>
  withTempFolder(async (folder) => {
    const told: string[] = [];
    const client = {
      app: { log: async () => ({}) },
      tui: { showToast: async ({ body }: { body: { message: string } }) => void told.push(body.message) },
      session: {
        promptAsync: async ({ body }: { body: { parts: { text: string }[] } }) => (
          told.push(body.parts[0]?.text ?? ""),
          {}
        ),
      },
    };
    const module = await written(executable, folder, "opencode", answer, names);
    const handlers = (await (module.BridgeHooks as Handler)({ client, directory: folder })) as Record<string, Handler>;
    await withPlugin(folder, { handlers, told, end: () => handlers.dispose?.() }, work);
  });

/** OpenClaw's plugin, registered, with what it registers. */
export const withOpenClawPlugin = (
  executable: string,
  answer: IHookResponse,
  work: (plugin: PluginUnderTest) => Promise<void>,
) =>
  withTempFolder(async (folder) => {
    const [told, handlers]: [string[], Record<string, Handler>] = [[], {}];
    let end = () => {};
    const keep = (name: string, handler: Handler) => void (handlers[name] = handler);
    const module = await written(executable, folder, "openclaw", answer);
    (module.default as { register: (api: object) => void }).register({
      logger: { warn: (line: string) => told.push(line) },
      config: {},
      lifecycle: { onDispose: (way: () => void) => (end = way) },
      on: keep,
      registerHook: keep,
      registerTrustedToolPolicy: ({ evaluate }: { evaluate: Handler }) => keep("policy", evaluate),
      registerAgentToolResultMiddleware: (handler: Handler) => keep("middleware", handler),
    });
    await withPlugin(folder, { handlers, told, end: () => end() }, work);
  });

/** Events on OpenCode's bus, each as `Native` with its properties; `install` writes an entry for each. */
export const expectHeardByOpenCode = async (executable: string, names: readonly string[]) => {
  const files = await installEntries(executable, { host: "opencode", events: names });
  for (const name of names) expect(files[".config/opencode/plugins/bridge-hooks.js"]).toContain(`"${name}": [`);
  await withOpenCodePlugin(
    executable,
    {},
    async ({ call, event }) => {
      for (const type of names) {
        const properties = { sessionID: "ses_1", about: type };
        await call("event", { event: { type, properties } });
        // The bus does not wait for handlers.
        for (let turn = 0; turn < 200 && event()?.native_event !== type; turn++) await Bun.sleep(20);
        expect(event()).toMatchObject({
          event: "Native",
          native_event: type,
          session_id: "ses_1",
          _native: { properties },
        });
      }
    },
    names,
  );
};
