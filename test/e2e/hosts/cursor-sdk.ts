/**
 * `node cursor-sdk.mjs PACKAGE REQUEST`: runs the hook runtime that Cursor ships in `@cursor/sdk` through its public
 * API, and simulates its backend on loopback. The user supplies the package; none of it is in this repository. REQUEST
 * is JSON that contains the calls the backend requests, and MCP servers. The program prints the runtime's messages as
 * lines of JSON: `asked` for a turn, `told` for an answer.
 *
 * The message types come from the service descriptors that the package passes to `createClient` of
 * `@connectrpc/connect` at run time, and are looked up by their public names [seen 1.0.22 to 1.0.32, 2026-11-21].
 */
import { realpathSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import Module, { createRequire } from "node:module";
import { join } from "node:path";

interface SdkRequest {
  calls: { name: string; input: Record<string, unknown> }[];
  mcpServers: Record<string, unknown>;
}
type JsonObject = Record<string, any>;

const [packageFolder = "", text = ""] = process.argv.slice(2);
const request = JSON.parse(text) as SdkRequest;
const writeLine = (line: JsonObject) => process.stdout.write(`${JSON.stringify(line)}\n`);
for (const name of ["log", "info", "warn", "error"] as const) console[name] = () => {};

const services: Record<string, any> = {};
const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => any };
const load = loader._load;
loader._load = function (this: unknown, name: string, ...rest: unknown[]) {
  const loaded = load.call(this, name, ...rest);
  if (name !== "@connectrpc/connect") return loaded;
  return new Proxy(loaded, {
    get: (target, key) =>
      key === "createClient" || key === "createPromiseClient"
        ? (service: any, transport: unknown) => {
            services[service.typeName] = service;
            return target[key](service, transport);
          }
        : target[key],
  });
};
const findMethod = (service: string, name: string) =>
  services[service] && (Object.values(services[service].methods) as JsonObject[]).find((one) => one.name === name);

/** Encodes one message of a Connect stream. */
function encodeFrame(flags: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flags;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

let stream: ServerResponse | undefined;
const sendMessage = (message: JsonObject) =>
  stream?.write(
    encodeFrame(
      0,
      findMethod("agent.v1.AgentService", "Run")?.O.fromJson(message, { ignoreUnknownFields: true }).toBinary(),
    ),
  );

let ids = 0;
let turns = 0;
let pending: { id: number; done: () => void; answered?: boolean; closed?: boolean } | undefined;

/** Keys in a shell call's progress reports. Any other key means that the call has ended. */
const PARTIAL_RESULT_KEYS = ["start", "stdout", "stderr"];

function receiveMessage(message: JsonObject): void {
  if (message.runRequest) {
    writeLine({ asked: message.runRequest });
    turns++;
    setTimeout(() => void serveRun(turns === 1 ? request.calls : [], message.runRequest), 20);
    return;
  }
  const { execClientMessage: answer, execClientControlMessage: control } = message;
  if (answer && !answer.requestContextResult) writeLine({ told: answer });
  if (control?.throw) writeLine({ told: control });
  if (!pending) return;
  const of = answer ? (answer.id ?? 0) : control ? ((Object.values(control)[0] as JsonObject)?.id ?? 0) : undefined;
  if (of !== pending.id) return;
  // The stream might end before the answer arrives.
  if (answer && !PARTIAL_RESULT_KEYS.some((key) => answer.shellStream?.[key])) pending.answered = true;
  if (control?.streamClose) pending.closed = true;
  if (control?.throw || (pending.answered && pending.closed)) pending.done();
}

/** Requests one call and waits up to 20 s for its answer. */
async function orderCall(body: JsonObject): Promise<void> {
  const id = ++ids;
  const contexts = findMethod("agent.v1.AgentService", "Run")
    ?.O.fields.findJsonName("execServerMessage")
    .T.fields.findJsonName("acceptHookAdditionalContexts");
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 20_000);
    const late = setInterval(() => {
      if (pending?.answered && pending.id === id) setTimeout(() => pending?.id === id && pending.done(), 2_000);
    }, 500);
    pending = {
      id,
      done: () => {
        clearTimeout(timer);
        clearInterval(late);
        resolve();
      },
    };
    sendMessage({
      execServerMessage: { id, execId: `exec-${id}`, ...(contexts && { acceptHookAdditionalContexts: true }), ...body },
    });
  });
  pending = undefined;
}

async function serveRun(
  calls: SdkRequest["calls"],
  { conversationId, runId = conversationId }: JsonObject,
): Promise<void> {
  await orderCall({ requestContextArgs: {} });
  for (const { name, input } of calls) {
    const [kind, event] = name.split(".");
    const hook = { conversationId, generationId: runId, model: "fake-model", ...input };
    const shell = name === "shellStreamArgs" && {
      workingDirectory: process.cwd(),
      // The parsed command, as the real backend sends it. Older releases require it.
      parsingResult: { parsingFailed: false, executableCommands: [{ name: "sh", fullText: input.command }] },
    };
    await orderCall(
      kind === "hook" && event
        ? { executeHookArgs: { request: { [event]: hook } } }
        : { [name]: { toolCallId: "tool", ...shell, ...input } },
    );
  }
  sendMessage({ interactionUpdate: { textDelta: { text: "FINAL" } } });
  sendMessage({ interactionUpdate: { turnEnded: { inputTokens: "1", outputTokens: "1" } } });
  sendMessage({ conversationCheckpointUpdate: {} });
  setTimeout(() => stream?.end(encodeFrame(2, Buffer.from("{}"))), 50);
}

const server = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    const url = incoming.url ?? "";
    const [, service = "", name = ""] = (url.split("?")[0] ?? "").split("/");
    const json = (value: JsonObject) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    if (url === "/auth/exchange_user_api_key") return json({ accessToken: "dummy" });
    if (url.startsWith("/v1/models")) return json({ items: [{ id: "fake-model", displayName: "Fake" }] });
    if (url.startsWith("/v1/me")) return json({ userEmail: "user@example.invalid", apiKeyName: "dummy" });
    const found = findMethod(service, name);
    if (!found) return response.writeHead(404).end("{}");
    if (name === "RunSSE") {
      response.writeHead(200, { "content-type": "application/connect+proto" }).flushHeaders();
      stream = response;
      return undefined;
    }
    if (name === "BidiAppend") {
      const { dataBinary, data } = found.I.fromBinary(Buffer.concat(chunks));
      const bytes = dataBinary?.length ? dataBinary : Buffer.from(data, "hex");
      receiveMessage(JSON.parse(findMethod("agent.v1.AgentService", "Run")?.I.fromBinary(bytes).toJsonString()));
    }
    const empty = found.O.fromJson({});
    const asJson = (incoming.headers["content-type"] ?? "").includes("json");
    response.setHeader("content-type", asJson ? "application/json" : "application/proto");
    return response.end(asJson ? empty.toJsonString() : Buffer.from(empty.toBinary()));
  });
});

server.listen(0, "127.0.0.1", async () => {
  const { port } = server.address() as { port: number };
  process.env.CURSOR_BACKEND_URL = process.env.CURSOR_WEBSITE_URL = `http://127.0.0.1:${port}`;
  const folder = realpathSync(packageFolder);
  try {
    const sdk = createRequire(join(folder, "package.json"))("@cursor/sdk");
    const local = { cwd: process.cwd(), settingSources: ["all"], enableAgentRetries: false };
    const store = sdk.JsonlLocalAgentStore && new sdk.JsonlLocalAgentStore(join(process.env.HOME ?? "", "store"));
    const agent = await sdk.Agent.create({
      apiKey: "dummy-key",
      model: { id: "fake-model" },
      mcpServers: request.mcpServers,
      local: { ...local, ...(store && { store }) },
    });
    const run = await agent.send("do it");
    for await (const event of run.stream()) if (event.type !== "status") writeLine({ event });
    writeLine({ run: await run.wait() });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await (agent[Symbol.asyncDispose]?.() ?? agent.close?.());
    await new Promise((resolve) => setTimeout(resolve, 200));
  } catch (error) {
    // A sessionStart hook can end the run.
    writeLine({ error: String(error) });
  }
  process.exit(0);
});
process.on("unhandledRejection", () => {});
