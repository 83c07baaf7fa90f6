/**
 * Runs one headless session, sending each prompt once the previous one has been answered: `bun claude-session.ts
 * PROMPTS CLAUDE ARGS…`. PROMPTS is a JSON array of strings. The host's output streams are inherited.
 */
import { spawn } from "node:child_process";

const [prompts = "[]", program = "", ...args] = process.argv.slice(2);
const waitingPrompts = JSON.parse(prompts) as string[];
const host = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });

function sendNextPrompt(): void {
  const content = waitingPrompts.shift();
  if (content === undefined) host.stdin.end();
  else host.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
}

let line = "";
host.stdout.setEncoding("utf8").on("data", (text: string) => {
  process.stdout.write(text);
  const all = (line + text).split("\n");
  line = all.pop() ?? "";
  // If sent right away, the message would count as part of the previous turn.
  for (const one of all) if (/^\{.*"type":"result"/.test(one)) setTimeout(sendNextPrompt, 200);
});
host.on("close", (code) => process.exit(code ?? 1));
sendNextPrompt();
