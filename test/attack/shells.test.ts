import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { BUILD_MS, placeExecutable } from "../support/executables.ts";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { installedArguments, targets } from "./cases.ts";
import { forEachAtOnce, runProcess } from "./processes.ts";
import { removeFolder, folder, LIMIT_MS, newFolder } from "./surroundings.ts";

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** Calls to an MCP server's tools that the starter hooks deny, each in a different input format that such tools use. */
const DENIED: readonly Call[] = [
  ["run_command", { command: "rm -rf /" }],
  ["run_command", { command: "cat .env" }],
  ["read_file", { path: ".env" }],
  ["run_command", { command: "bridge-hooks uninstall" }],
  ["start_process", { command: "git push --force origin main", timeout_ms: 1000 }],
  ["shell_execute", { command: ["rm", "-rf", "/"], directory: "/tmp" }],
  ["shell_execute", { command: ["bash"], stdin: "rm -rf /" }],
  ["execute_command", { command: "rm", args: ["-rf", "/"] }],
  ["execute_command", { command: "rm -rf .", options: { cwd: "/" } }],
  ["runProcess", { mode: "executable", argv: ["rm", "-rf", "/"] }],
  ["exec", { host: "a", cmd: "cat ~/.ssh/id_rsa" }],
  ["run_script", { script: "#!/bin/bash\nset -e\nrm -rf /\n" }],
  ["run_script", { script: "import os\nrm -rf /" }],
  ["run_code", { language: "bash", code: "rm -rf /" }],
  ["send_commands", { commands: ["cd /", "rm -rf *", "<ENTER>"] }],
  ["send_keys", { keys: ["rm -rf /", "Enter"] }],
  ["interact_with_process", { pid: 1, input: "rm -rf /\n" }],
  ["call_tool", { name: "run_command", arguments: { command: "rm -rf /" } }],
  [
    "batch",
    {
      calls: [
        { tool: "run", params: { command: "ls" } },
        { tool: "run", params: { command: "cat .env" } },
      ],
    },
  ],
  ["run_command", { command: "ls", cmd: "rm -rf /" }],
];

/** Calls that must be allowed without a message. */
const HARMLESS: readonly Call[] = [
  ["run_command", { command: "npm test" }],
  ["run_command", { command: "rm -rf dist && npm run build" }],
  ["read_file", { path: "README.md" }],
  ["evaluate", { script: "document.addEventListener('keydown', (e) => console.log(e.key))" }],
  ["str_replace_based_edit_tool", { command: "view", path: "src/a.ts" }],
  ["query", { command: "SELECT * FROM users" }],
  ["export_document", { command: "export", format: "pdf" }],
];

const executable = join(folder, "shipped");
beforeAll(async () => void (await placeExecutable("hooks", executable)), BUILD_MS);
afterAll(removeFolder);

for (const target of targets) {
  const { host } = target;

  describe(`${host.id}: a call of an MCP server's shell tool`, () => {
    /** Returns the verdicts the host reaches from the answers to a call, one for each event that reports it. */
    async function verdictsOn([tool, given]: Call): Promise<string[]> {
      const cwd = newFolder();
      const event = {
        event: "PreToolUse",
        native_event: "PreToolUse",
        host: host.id,
        session_id: "s",
        cwd,
        tool: "MCP",
        tool_name: `mcp__tools__${tool}`,
        input: { server: "tools", tool, arguments: given },
        _native: {},
      } as AnyEvent;
      const spoken = (await host.loadScriptCodec()).buildPayloads(event);
      return Promise.all(
        spoken.map(async ({ native_event, payload }) => {
          const argv = [executable, ...installedArguments(target, native_event, "deny")];
          const env = { PATH: process.env.PATH as string, HOME: folder, XDG_STATE_HOME: cwd };
          const ended = await runProcess({ argv, stdin: JSON.stringify(payload), cwd, env, limit_ms: LIMIT_MS });
          const said =
            ended.stdout.trim() === host.neutralOutput.trim() && ended.stderr === ""
              ? ""
              : `: ${ended.stdout}${ended.stderr}`;
          return `${native_event} ${target.verdict(native_event, ended, target.handler(native_event, "deny")).kind}${said}`;
        }),
      );
    }
    const wrong = async (calls: readonly Call[], right: RegExp) => {
      const found: unknown[] = [];
      let asked = 0;
      await forEachAtOnce(calls, async (call) => {
        const verdicts = await verdictsOn(call);
        asked += verdicts.length;
        found.push(...verdicts.filter((verdict) => !right.test(verdict)).map((verdict) => [call, verdict]));
      });
      expect(asked).toBeGreaterThanOrEqual(calls.length);
      return found;
    };
    test("is denied if the same shell command would be", async () =>
      expect(await wrong(DENIED, /^\w[\w.]+ denied: .*(?:Blocked|blocked)/s)).toEqual([]));
    test("is allowed silently if it is harmless", async () =>
      expect(await wrong(HARMLESS, /^\w[\w.]+ passed$/)).toEqual([]));
  });
}
