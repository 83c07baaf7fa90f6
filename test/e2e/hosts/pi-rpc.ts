/**
 * Drives pi in RPC mode, in which a client can answer dialogs: `bun pi-rpc.ts ACTIONS PI ARGS…`. ACTIONS is a JSON
 * array. pi's output is inherited. Dialogs are confirmed if the first action sets `confirm`.
 */
import { spawn } from "node:child_process";

export type PiAction =
  | { do: "prompt"; message?: string; confirm?: boolean }
  /** Sends a prompt while the agent is still working on the previous one. */
  | { do: "steer"; message: string }
  /** Forks the session before its first prompt. */
  | { do: "fork" }
  /** Sends any other RPC command. */
  | { do: "command"; type: string; [field: string]: unknown };

interface RpcMessage {
  type: string;
  id?: string;
  method?: string;
  success?: boolean;
  data?: { disposition?: string; messages?: { entryId: string }[] };
}

if (import.meta.main) {
  const [list = "[]", program = "", ...args] = process.argv.slice(2);
  const actions = JSON.parse(list) as PiAction[];
  const confirmed = actions.some((action) => action.do === "prompt" && action.confirm === true);
  const pi = spawn(program, [...args, "--mode", "rpc"], { stdio: ["pipe", "pipe", "inherit"] });
  const send = (message: object) => void pi.stdin.write(`${JSON.stringify(message)}\n`);
  const waiting: { fits: (message: RpcMessage) => boolean; done: (message: RpcMessage) => void }[] = [];
  const hear = (fits: (message: RpcMessage) => boolean) =>
    new Promise<RpcMessage>((done) => void waiting.push({ fits, done }));

  let rest = "";
  pi.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((one) => one.startsWith("{"))) {
      console.log(line);
      const message = JSON.parse(line) as RpcMessage;
      if (message.type === "extension_ui_request" && message.method === "confirm")
        send({ type: "extension_ui_response", id: message.id, confirmed });
      for (const one of waiting.filter(({ fits }) => fits(message))) {
        waiting.splice(waiting.indexOf(one), 1);
        one.done(message);
      }
    }
  });
  pi.on("close", (code) => process.exit(code ?? 1));

  let ids = 0;
  const call = (command: object) => {
    const id = `c${++ids}`;
    const answered = hear((message) => message.type === "response" && message.id === id);
    send({ id, ...command });
    return answered;
  };
  let settled: Promise<unknown> = Promise.resolve();
  for (const [at, action] of actions.entries()) {
    const { do: kind, ...fields } = action;
    if (kind === "command") await call(fields);
    else if (kind === "fork") {
      const { data } = await call({ type: "get_fork_messages" });
      await call({ type: "fork", entryId: data?.messages?.[0]?.entryId });
    } else if (kind === "steer") {
      await call({ type: "steer", ...fields });
      await settled;
    } else {
      const [turn, end] = ["turn_start", "agent_settled"].map((one) => hear(({ type }) => type === one));
      const { data, success } = await call({ type: "prompt", message: action.message ?? "do it" });
      if (!success || data?.disposition !== "started") continue;
      settled = end as Promise<unknown>;
      await (actions[at + 1]?.do === "steer" ? turn : settled);
    }
  }
  await Bun.sleep(300);
  pi.stdin.end();
}
