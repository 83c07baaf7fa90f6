import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hosts } from "../../src/hosts/index.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { getPayload } from "../support/fixtures.ts";
import { parseStdout } from "../hosts/facts.ts";
import { getFacts } from "../hosts/host-facts.ts";
import {
  folder,
  projectFolder,
  writeScript,
  importModule,
  respondAsHost,
  buildShellPayload,
  getFlags,
  REASON,
  useTestState,
} from "./script-support.ts";

useTestState();

/** Matches the stderr of a denial, which contains the reason on hosts that read stderr. */
const matchStderr = (id: string) => {
  const { denialStderr } = getFacts(id);
  return denialStderr ? expect.stringMatching(denialStderr) : REASON;
};

describe("a script for Claude Code", () => {
  test("is obeyed by every host in the host's own format", async () => {
    const hook = await importModule(`fromCommand("./guard.sh", { host: "claude" })`);
    let obeyed = 0;
    for (const { id, neutralOutput } of hosts) {
      const { stdout, stderr, exit_code } = await respondAsHost(
        hook,
        id,
        buildShellPayload(id, "sudo rm -rf /"),
        getFlags(id),
      );
      expect([id, parseStdout(stdout), stderr, exit_code]).toEqual([
        id,
        getFacts(id).denial(REASON) ?? null,
        matchStderr(id),
        getFacts(id).denialCode ?? 2,
      ]);
      expect([id, await respondAsHost(hook, id, buildShellPayload(id, "ls"), getFlags(id))]).toEqual([
        id,
        { stdout: neutralOutput, stderr: "", exit_code: 0 },
      ]);
      obeyed++;
    }
    expect(obeyed).toBe(hosts.length);
  });

  test("can answer with a document: a rewrite, an ask, a message", async () => {
    const hook = await importModule(`fromCommand("./answers.awk", { host: "claude" })`);
    const given = async (host: string, command: string) =>
      parseStdout((await respondAsHost(hook, host, buildShellPayload(host, command), getFlags(host))).stdout);
    const ask = "This needs the user's approval, which";
    expect({
      claude: await given("claude", "npm install"),
      cursor: await given("cursor", "npm install"),
      codex: await given("codex", "npm install"),
      gemini: await given("gemini", "npm install"),
      copilot: await given("copilot", "npm install"),
      opencode: await given("opencode", "npm install"),
      openclaw: await given("openclaw", "npm install"),
    }).toEqual({
      claude: {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          updatedInput: { command: "npm ci" },
        },
      },
      cursor: { permission: "allow", updated_input: { command: "npm ci" } },
      codex: {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          updatedInput: { command: "npm ci" },
        },
      },
      gemini: { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { command: "npm ci" } } },
      copilot: { permissionDecision: "allow", modifiedArgs: { command: "npm ci" } },
      opencode: { args: { command: "npm ci" } },
      openclaw: { params: { command: "npm ci" } },
    });
    expect([await given("claude", "git push"), await given("codex", "git push")]).toEqual([
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "ask",
          permissionDecisionReason: "push?",
        },
      },
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: `push?\n${ask} Codex can't ask for here.`,
        },
      },
    ]);
    expect([
      await given("claude", "ls"),
      await given("cursor", "ls"),
      await given("opencode", "ls"),
      await given("claude", "pwd"),
    ]).toEqual([{ systemMessage: "it lists" }, { user_message: "it lists" }, { message: "it lists" }, null]);
  });

  test("is called for each file that another host's call changes, until the script denies", async () => {
    writeScript(
      "paths.sh",
      `#!/bin/bash\ninput=$(cat)\necho "$input" >> ${join(folder, "told.jsonl")}\ncase "$input" in *'"file_path":"/etc/'*) echo "not there" >&2; exit 2;; esac\n`,
    );
    const hook = await importModule(`fromCommand("./paths.sh", { host: "claude", tool: ["Write", "Edit"] })`);
    const patch = (file: string) =>
      `*** Begin Patch\n*** Add File: ok.txt\n+a\n*** Delete File: ${file}\n*** Update File: last.txt\n@@\n-a\n+b\n*** End Patch\n`;
    const told = async (file: string) => {
      rmSync(join(folder, "told.jsonl"), { force: true });
      const payload = getPayload("codex", "PreToolUse-apply_patch", {
        cwd: projectFolder,
        tool_input: { command: patch(file) },
      });
      const { exit_code, stderr } = await respondAsHost(hook, "codex", payload);
      const lines = readFileSync(join(folder, "told.jsonl"), "utf8").trimEnd().split("\n");
      return [
        exit_code,
        stderr,
        lines.map((line) => JSON.parse(line)).map(({ tool_name, tool_input }) => [tool_name, tool_input.file_path]),
      ];
    };
    expect(await told("gone.txt")).toEqual([
      0,
      "",
      [
        ["Write", "ok.txt"],
        ["Edit", "gone.txt"],
        ["Edit", "last.txt"],
      ],
    ]);
    expect(await told("/etc/passwd")).toEqual([
      2,
      "not there",
      [
        ["Write", "ok.txt"],
        ["Edit", "/etc/passwd"],
      ],
    ]);
  });

  test("fails if it rewrites one of several calls instead of denying it", async () => {
    writeScript(
      "changes.sh",
      `#!/bin/sh\necho '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"file_path":"/tmp/x"}}}'\n`,
    );
    const hook = await importModule(`fromCommand("./changes.sh", { host: "claude", tool: "Edit", onError: "deny" })`);
    const { exit_code, stderr } = await respondAsHost(
      hook,
      "codex",
      getPayload("codex", "PreToolUse-apply_patch", {
        cwd: projectFolder,
        tool_input: {
          command:
            "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** Update File: b.txt\n@@\n-a\n+b\n*** End Patch\n",
        },
      }),
    );
    expect([exit_code, stderr]).toEqual([
      2,
      expect.stringContaining(
        "./changes.sh: this event corresponds to 2 Claude Code calls, and a change to just one can't be merged",
      ),
    ]);
  });

  test("is called on prompts, session starts and Stop", async () => {
    writeScript("notes.sh", "#!/bin/sh\ncat >/dev/null\necho 'remember the tests'\n");
    const hook = await importModule(
      `fromCommand("./notes.sh", { host: "claude", event: ["UserPromptSubmit", "SessionStart"] })`,
    );
    const given = async (host: string, file: string) =>
      JSON.parse((await respondAsHost(hook, host, getPayload(host, file))).stdout);
    expect([
      await given("codex", "UserPromptSubmit"),
      await given("gemini", "SessionStart"),
      await given("opencode", "chat.message"),
    ]).toEqual([
      { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "remember the tests" } },
      { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "remember the tests" } },
      { context: "remember the tests" },
    ]);
    writeScript(
      "on.sh",
      `#!/bin/sh\ngrep -q '"stop_hook_active":false' && echo 'run the tests' >&2 && exit 2\nexit 0\n`,
    );
    const stop = await importModule(`fromCommand("./on.sh", { host: "claude", event: "Stop" })`);
    expect(JSON.parse((await respondAsHost(stop, "cursor", getPayload("cursor", "stop"))).stdout)).toEqual({
      followup_message: "run the tests",
    });
    expect(await respondAsHost(stop, "cursor", getPayload("cursor", "stop", { loop_count: 1 }))).toEqual({
      stdout: "{}",
      stderr: "",
      exit_code: 0,
    });
  });
});

describe("a script", () => {
  test("for a Cursor event denies on Claude Code, and its allow approves nothing", async () => {
    const hook = await importModule(`fromCommand("./cursor.sh", { host: "cursor", at: "beforeShellExecution" })`);
    const { stdout } = await respondAsHost(hook, "claude", buildShellPayload("claude", "rm -rf /"));
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: "U",
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "A" },
    });
    expect(await respondAsHost(hook, "claude", buildShellPayload("claude", "ls"))).toEqual({
      stdout: "",
      stderr: "",
      exit_code: 0,
    });
    expect(await respondAsHost(hook, "claude", getPayload("claude", "PreToolUse-Read"))).toEqual({
      stdout: "",
      stderr: "",
      exit_code: 0,
    });
  });

  test("for any host gets that host's payload, and its denial is obeyed by every other host", async () => {
    let obeyed = 0;
    for (const { id } of hosts) {
      const document = getFacts(id).denial(REASON);
      const denial = document ? `cat <<'END'\n${JSON.stringify(document)}\nEND\n` : `echo "${REASON}" >&2; exit 2\n`;
      writeScript(`as-${id}.sh`, `#!/bin/sh\ncat > ${join(folder, `told-${id}.json`)}\n${denial}`);
      const hook = await importModule(`fromCommand("./as-${id}.sh", { host: "${id}" })`);
      for (const other of hosts) {
        const { stdout, exit_code } = await respondAsHost(
          hook,
          other.id,
          buildShellPayload(other.id, "ls"),
          getFlags(other.id),
        );
        expect([id, other.id, parseStdout(stdout), exit_code]).toEqual([
          id,
          other.id,
          getFacts(other.id).denial(REASON) ?? null,
          getFacts(other.id).denialCode ?? 2,
        ]);
        const told = JSON.parse(readFileSync(join(folder, `told-${id}.json`), "utf8")) as Payload;
        if (other.id === id) expect(told).toEqual(buildShellPayload(id, "ls"));
        expect(JSON.stringify(told)).toContain('"ls"');
        obeyed++;
      }
    }
    expect(obeyed).toBe(hosts.length ** 2);
  });
});
