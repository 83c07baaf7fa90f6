/**
 * Drives `codex app-server`, which editors and the terminal use: `bun codex-app-server.ts ACTIONS CODEX ARGS…`. ACTIONS
 * is a JSON array. Each notification or request from the server is printed as one line of JSON. Approvals are declined.
 */
import { spawn } from "node:child_process";

export type CodexAction =
  | { do: "trust" }
  | { do: "turn"; prompt?: string; params?: Record<string, unknown> }
  | { do: "interrupt" }
  | { do: "compact" };

type ServerMessage = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, any>;
  error?: unknown;
};

if (import.meta.main) {
  const [list = "[]", program = "", ...args] = process.argv.slice(2);
  const server = spawn(program, ["app-server", ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const replies = new Map<number, (message: ServerMessage) => void>();
  const awaited: { method: string; done: () => void; thread: string | undefined }[] = [];
  let ids = 0;

  const send = (message: ServerMessage) => void server.stdin.write(`${JSON.stringify(message)}\n`);
  const call = (method: string, params: Record<string, unknown>) =>
    new Promise<Record<string, any>>((resolve, reject) => {
      const id = ++ids;
      replies.set(id, ({ result, error }) =>
        result ? resolve(result) : reject(new Error(`${method}: ${JSON.stringify(error)}`)),
      );
      send({ id, method, params });
    });
  // Filter by thread: a subagent's turn may end before the turn that waits for it.
  const heard = (method: string, thread?: string) =>
    new Promise<void>((done) => void awaited.push({ method, done, thread }));

  let rest = "";
  server.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((text) => text.startsWith("{"))) {
      const message = JSON.parse(line) as ServerMessage;
      if (message.method) console.log(line);
      if (message.method && message.id !== undefined) send({ id: message.id, result: { decision: "decline" } });
      else if (message.method) {
        const { threadId: from } = (message.params ?? {}) as { threadId?: string };
        for (const { method, done, thread } of awaited)
          if (method === message.method && (thread === undefined || thread === from)) done();
      }
      if (!message.method && message.id !== undefined) replies.get(message.id)?.(message);
    }
  });
  server.on("close", (code) => process.exit(code ?? 1));

  const cwd = process.cwd();
  await call("initialize", {
    clientInfo: { name: "bridge-hooks", title: "bridge-hooks", version: "0" },
    capabilities: { experimentalApi: true },
  });
  send({ method: "initialized" });
  let threadId: string | undefined;
  let turnId: string | undefined;
  const thread = async (params: Record<string, unknown>) =>
    (threadId ??= (
      await call("thread/start", { cwd, approvalPolicy: "never", sandbox: "danger-full-access", ...params })
    ).thread.id as string);
  for (const action of JSON.parse(list) as CodexAction[]) {
    switch (action.do) {
      case "trust": {
        const { hooks } = (await call("hooks/list", { cwds: [cwd] })).data[0];
        const value = Object.fromEntries(
          hooks.map((hook: Record<string, string>) => [hook.key, { trusted_hash: hook.currentHash }]),
        );
        await call("config/batchWrite", { edits: [{ keyPath: "hooks.state", mergeStrategy: "upsert", value }] });
        break;
      }
      case "turn": {
        const threadId = await thread(action.params ?? {});
        const completed = heard("turn/completed", threadId);
        const input = [{ type: "text", text: action.prompt ?? "do it" }];
        turnId = (await call("turn/start", { threadId, input })).turn.id as string;
        await completed;
        break;
      }
      case "interrupt": {
        const started = heard("item/started");
        const completed = heard("turn/completed");
        turnId = (await call("turn/start", { threadId: await thread({}), input: [{ type: "text", text: "do it" }] }))
          .turn.id as string;
        await started;
        await Bun.sleep(1_000);
        await call("turn/interrupt", { threadId, turnId });
        await completed;
        break;
      }
      case "compact": {
        const completed = heard("turn/completed");
        await call("thread/compact/start", { threadId: await thread({}) });
        await completed;
        break;
      }
    }
  }
  await Bun.sleep(300);
  server.stdin.end();
}
