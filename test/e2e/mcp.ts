/**
 * A small MCP server on stdio: `echo` returns its text, and `elicit` does the same after asking the user for a name.
 */
const write = (message: Record<string, unknown>) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const answerText = (id: unknown, text: string) => write({ id, result: { content: [{ type: "text", text }] } });

const inputSchema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const ELICITATION = 900;

let waitingId: unknown;
for await (const line of console) {
  const { id, method, params, result } = JSON.parse(line);
  if (id === ELICITATION && !method) answerText(waitingId, `elicited ${result?.action}`);
  else if (method === "initialize")
    write({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "tiny", version: "1.0.0" },
      },
    });
  else if (method === "tools/list")
    write({
      id,
      result: {
        tools: ["echo", "elicit"].map((name) => ({
          name,
          description: name,
          inputSchema,
          annotations: { readOnlyHint: true },
        })),
      },
    });
  else if (method === "tools/call" && params.name === "elicit") {
    waitingId = id;
    write({
      id: ELICITATION,
      method: "elicitation/create",
      params: { message: "What is your name?", requestedSchema },
    });
  } else if (method === "tools/call") answerText(id, `echo: ${params.arguments?.text}`);
  else if (id !== undefined) write({ id, result: {} });
}

export {};
