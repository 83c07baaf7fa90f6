import { describe, expect, test } from "bun:test";
import { claude } from "../../../src/hosts/claude/index.ts";
import { setup } from "../../../src/hosts/claude/install.ts";
import samples from "../../../src/hosts/claude/samples.json" with { type: "json" };
import { getCapabilityRow } from "../../../src/protocol/host/host.ts";
import type { EventRequirements } from "../../../src/protocol/host/install.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";

const EVENT = "PreSkillShellCommand";
const payload = samples[EVENT];

describe("a shell command of a skill or slash command on Claude Code", () => {
  test("is decoded as a Bash call with the command's name and who loaded it", () => {
    const { event } = claude.decodePayload(payload, EVENT, getCapabilityRow(claude, EVENT));
    expect(event).toMatchObject({
      event: "PreToolUse",
      native_event: EVENT,
      tool: "Bash",
      input: { command: "echo original | tee marker.txt" },
      command_name: "mark",
      invoked_by: "user",
    });
  });

  test("is decoded as a PowerShell call if Claude Code runs it there", () => {
    const { event } = claude.decodePayload(
      { ...payload, tool_name: "PowerShell" },
      EVENT,
      getCapabilityRow(claude, EVENT),
    );
    expect(event).toMatchObject({ tool: "Bash", input: { shell: "powershell" } });
  });

  test("does not add these fields to other calls", () => {
    const { event } = claude.decodePayload(samples.PreToolUse, "PreToolUse", getCapabilityRow(claude, "PreToolUse"));
    expect(event).not.toContainAnyKeys(["command_name", "invoked_by"]);
  });

  const subscriptions: [string, EventRequirements[], boolean][] = [
    ["hooks on Bash", [{ event: "PreToolUse", tools: ["Bash"] }], true],
    ["hooks on Bash and other tools", [{ event: "PreToolUse", tools: ["Read", "Bash"] }], true],
    ["hooks on all tools", [{ event: "PreToolUse" }], true],
    ["hooks on other tools", [{ event: "PreToolUse", tools: ["Write", "Read"] }], false],
    ["hooks on other events", [{ event: "PostToolUse", tools: ["Bash"] }], false],
  ];
  for (const [what, wanted, expected] of subscriptions)
    test(`has ${expected ? "an entry without a matcher" : "no entry"} for ${what}`, () =>
      expect(setup.planSubscriptions(wanted).filter(({ native_event }) => native_event === EVENT)).toEqual(
        expected ? [{ native_event: EVENT }] : [],
      ));

  const ask = (command: string, tool_name = "Bash") => {
    const { stdout, exitCode } = Bun.spawnSync([EXECUTABLE, "--host", "claude", "--event", EVENT], {
      stdin: Buffer.from(JSON.stringify({ ...payload, cwd: "/", tool_name, tool_input: { command } })),
    });
    return { code: exitCode, output: `${stdout}` };
  };

  test("is denied by the starter hooks if an ordinary call with it is", () => {
    const { code, output } = ask("git push --force origin main");
    expect(code).toBe(2);
    expect(JSON.parse(output).hookSpecificOutput).toMatchObject({ hookEventName: EVENT, permissionDecision: "deny" });
    expect(ask("Remove-Item -Recurse -Force C:\\", "PowerShell").code).toBe(2);
  });

  test("is allowed if an ordinary call with it is", () =>
    expect(ask("git status --short")).toEqual({ code: 0, output: "" }));
});
