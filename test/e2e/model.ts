/** A tool call made by the model, in the host's format. */
export interface ToolUse {
  name: string;
  input: unknown;
  /** Codex only: the tool's namespace. */
  namespace?: string;
  /** Codex only: the input is plain text rather than JSON. */
  freeform?: true;
  /** Codex only: the item that reports work the provider did itself. */
  hosted?: JsonObject;
}

/** One answer from the scripted model. */
export interface ModelTurn {
  text?: string;
  calls?: readonly ToolUse[];
  /** HTTP status of an error returned instead of an answer. */
  status?: number;
  /** Repeats the turn until a request contains this string. */
  until?: string;
  /** How many milliseconds to delay the answer. */
  delay?: number;
  /** Token count reported for the prompt. A large number makes hosts compact the conversation. */
  tokens?: number;
}

/** The model's turns, in order. After the last one, the model answers "done". */
export interface ModelScript {
  main: readonly ModelTurn[];
  /** Turns used in a conversation whose first text contains SUBAGENT. */
  subagent?: readonly ModelTurn[];
}

export interface ModelRequest {
  who: keyof ModelScript | "side";
  body: Record<string, unknown>;
  /** The body as text, for searching. */
  text: string;
}

interface ModelSession {
  script: ModelScript;
  turns: Map<keyof ModelScript, number>;
  requests: ModelRequest[];
}

type RequestBody = Record<string, unknown>;
type JsonObject = Record<string, unknown>;

const sessions = new Map<string, ModelSession>();
let ids = 0;
const createId = (prefix: string) => `${prefix}_fake${String(++ids).padStart(4, "0")}`;

/** One server for all runs, on a free port. Each run has its own path. */
let server: Bun.Server<undefined> | undefined;

/** Opens a model for one run. Returns the model's address and an array that collects its requests. */
export function openModel(run: string, script: ModelScript): { url: string; requests: ModelRequest[] } {
  server ??= Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 255,
    maxRequestBodySize: 2 ** 30,
    fetch: answerRequest,
  });
  const requests: ModelRequest[] = [];
  sessions.set(run, { script, turns: new Map(), requests });
  return { url: `http://127.0.0.1:${server.port}/${run}`, requests };
}

/** Starts a run's script over from its first turn. */
export const restartModel = (run: string): void => sessions.get(run)?.turns.clear();

/** Returns how far the subagent has got in a run's script. */
export function getSubagentState(run: string): "waiting" | "working" | "ended" {
  const { script, turns } = sessions.get(run) ?? {};
  const [main, subagent] = (["main", "subagent"] as const).map((who) => {
    const taken = turns?.get(who) ?? 0;
    return { hasBegun: taken > 0, hasEnded: taken >= (script?.[who]?.length ?? 0) };
  });
  if (!subagent?.hasBegun) return "waiting";
  return subagent.hasEnded && main?.hasEnded ? "ended" : "working";
}

export const closeModel = (run: string): void => void sessions.delete(run);

/** Returns the conversation's first text. */
function getOpening({ messages, input, contents }: RequestBody): string {
  // In Gemini's format, tool results have the role "user" as well.
  if (contents)
    return JSON.stringify(
      (contents as JsonObject[]).filter(
        ({ role, parts }) => role === "user" && !/"functionResponse"/.test(JSON.stringify(parts)),
      ),
    );
  const all = (messages ?? input ?? []) as JsonObject[];
  // Consider all messages before the first answer: a host might send reminders and hook contexts ahead of the prompt.
  const answered = messages ? (messages as JsonObject[]).findIndex(({ role }) => role === "assistant") : -1;
  const opening = Array.isArray(all) && answered >= 0 ? all.slice(0, answered) : all;
  return JSON.stringify(Array.isArray(opening) ? opening.filter(({ role }) => role === "user") : []);
}

/** Whether the request asks for a title or summary of a Grok Build session. Such requests offer tools as well. */
function isAside({ tools, messages = [] }: RequestBody): boolean {
  const [{ function: offered = {} } = {}, ...others] = (tools ?? []) as JsonObject[];
  const isTitle = others.length === 0 && (offered as JsonObject).name === "session_title";
  return isTitle || /ultra-short dashboard line/.test(JSON.stringify((messages as JsonObject[]).at(-1) ?? ""));
}

async function answerRequest(request: Request): Promise<Response> {
  const [, run = "", ...rest] = new URL(request.url).pathname.split("/");
  const route = rest.join("/");
  const session = sessions.get(run);
  if (request.method !== "POST" || !session)
    return Response.json({ error: { message: "unknown route" } }, { status: 404 });
  const text = await request.text();
  const body = JSON.parse(text) as RequestBody;
  if (route.endsWith("count_tokens")) return Response.json({ input_tokens: 10 });
  if (route.endsWith(":countTokens")) return Response.json({ totalTokens: 10 });
  const anthropic = route.endsWith("/messages");
  const gemini = /:(streamG|g)enerateContent$/.test(route);
  const chat = route.endsWith("/chat/completions");
  if (!anthropic && !gemini && !chat && !route.endsWith("/responses"))
    return Response.json({ error: { message: "unknown route" } }, { status: 404 });

  const side = (anthropic || gemini || chat) && (!((body.tools ?? []) as unknown[]).length || isAside(body));
  const who = side ? "side" : /SUBAGENT/.test(getOpening(body)) ? "subagent" : "main";
  session.requests.push({ who, body, text });
  const turn = who === "side" ? { text: "ok" } : takeTurn(session, who, text);
  if (turn.delay) await Bun.sleep(turn.delay);
  if (turn.status)
    return Response.json(
      { type: "error", error: { type: "api_error", message: "scripted error" } },
      { status: turn.status },
    );
  if (gemini) return answerContents(turn, route.endsWith(":streamGenerateContent"));
  if (chat) return answerCompletions(body, turn);
  return anthropic ? answerMessages(body, turn) : answerResponses(turn);
}

function takeTurn({ script, turns }: ModelSession, who: keyof ModelScript, text: string): ModelTurn {
  let at = turns.get(who) ?? 0;
  const { until } = script[who]?.[at] ?? {};
  if (until !== undefined && text.includes(until)) at++;
  const turn = script[who]?.[at] ?? { text: "done" };
  turns.set(who, turn.until === undefined ? at + 1 : at);
  // In a turn, `{{agent}}` stands for the last agent ID in the request.
  const agent = [...text.matchAll(/agent_id(?:\\*")?\s*:\s*(?:\\*")?([0-9a-f-]+)/g)].at(-1)?.[1] ?? "";
  // `{{session}}` stands for the numeric ID of the running command.
  const session = [...text.matchAll(/session ID (\d+)/g)].at(-1)?.[1] ?? "0";
  // `{{project}}` stands for Qwen Code's working directory, for tools that accept only absolute paths.
  const [, project = ""] = /working in the directory: ([^\\"]+)/.exec(text) ?? [];
  return JSON.parse(
    JSON.stringify(turn)
      .replaceAll("{{agent}}", agent)
      .replaceAll("{{project}}", project)
      .replaceAll('"{{session}}"', session),
  ) as ModelTurn;
}

function streamEvents(events: readonly JsonObject[]): Response {
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream", "request-id": createId("req") } });
}

/** Answers in the Anthropic Messages format. */
function answerMessages(
  { model, stream: streams }: RequestBody,
  { text, calls = [], tokens = 10 }: ModelTurn,
): Response {
  const content: JsonObject[] = [
    ...(text ? [{ type: "text", text }] : []),
    ...calls.map(({ name, input }) => ({ type: "tool_use", id: createId("toolu"), name, input })),
  ];
  const stop = { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null };
  const usage = { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 };
  const message = { id: createId("msg"), type: "message", role: "assistant", model, content, ...stop, usage };
  if (!streams) return Response.json(message);
  return streamEvents([
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [
      {
        type: "content_block_start",
        index,
        content_block: block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} },
      },
      {
        type: "content_block_delta",
        index,
        delta:
          block.type === "text"
            ? { type: "text_delta", text: block.text }
            : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
      },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: stop, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ]);
}

/** Answers in the OpenAI Chat Completions format, streamed. */
function answerCompletions({ model }: RequestBody, { text = "", calls = [], tokens = 10 }: ModelTurn): Response {
  const base = { id: createId("chatcmpl"), object: "chat.completion.chunk", created: 1, model };
  const tool_calls = calls.map(({ name, input }, index) => ({
    index,
    id: createId("call"),
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const chunk = (delta: JsonObject, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const chunks = [
    chunk({ role: "assistant", content: text }),
    ...(tool_calls.length > 0 ? [chunk({ tool_calls })] : []),
    chunk({}, tool_calls.length > 0 ? "tool_calls" : "stop"),
    { ...base, choices: [], usage: { prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 } },
  ];
  const lines = [...chunks.map((one) => JSON.stringify(one)), "[DONE]"].map((line) => `data: ${line}\n\n`);
  return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
}

/** Answers in the OpenAI Responses format. */
function answerResponses({ text, calls = [], tokens = 10 }: ModelTurn): Response {
  const response = { id: createId("resp") };
  const items: JsonObject[] = [
    ...(text
      ? [{ type: "message", role: "assistant", id: createId("msg"), content: [{ type: "output_text", text }] }]
      : []),
    ...calls.map(({ name, input, namespace, freeform, hosted }) =>
      hosted
        ? { ...hosted, id: createId("item") }
        : freeform
          ? { type: "custom_tool_call", id: createId("ctc"), call_id: createId("call"), name, input }
          : {
              type: "function_call",
              id: createId("fc"),
              call_id: createId("call"),
              name,
              arguments: JSON.stringify(input),
              ...(namespace && { namespace }),
            },
    ),
  ];
  const usage = {
    input_tokens: tokens,
    input_tokens_details: null,
    output_tokens: 5,
    output_tokens_details: null,
    total_tokens: tokens + 5,
  };
  return streamEvents([
    { type: "response.created", response },
    ...items.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item },
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: { ...response, output: items, usage } },
  ]);
}

/** Answers in Gemini's generateContent format. */
function answerContents({ text, calls = [], tokens = 10 }: ModelTurn, streams: boolean): Response {
  const parts = [
    ...(text ? [{ text }] : []),
    ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
  ];
  const response = {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 5, totalTokenCount: tokens + 5 },
    modelVersion: "fake-model",
  };
  if (!streams) return Response.json(response);
  return new Response(`data: ${JSON.stringify(response)}\r\n\r\n`, {
    headers: { "content-type": "text/event-stream" },
  });
}
