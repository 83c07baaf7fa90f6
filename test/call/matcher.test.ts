import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { checkMatcher, checkToolCoverage } from "../../src/cli/build/matcher.ts";
import { passCall } from "../../src/call/answer.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { createHookEntry, defineHook } from "../../src/protocol/hook.ts";
import { isToolCallEvent } from "../../src/protocol/event.ts";
import { matchHook } from "../../src/protocol/match.ts";
import { type Tool, TOOLS } from "../../src/protocol/tool.ts";
import { getCapabilityRow } from "../../src/protocol/host/host.ts";
import { hosts } from "../../src/hosts/index.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { fixtures, getPayload, ROOT } from "../support/fixtures.ts";

const check = (matcher: string, ...tools: Tool[]) => checkMatcher({ matcher, ...(tools.length > 0 && { tools }) });

describe("build reports an error with its fix for a matcher that matches no call:", () => {
  const CASES: [matcher: string, error: string][] = [
    [
      "Bash(npm install *|pip install *)",
      '"|" does not separate patterns inside parentheses; write Bash(npm install *)|Bash(pip install *)',
    ],
    ["Bash(curl * || wget *)", '"|" does not separate patterns inside parentheses; write Bash(curl *)|Bash(wget *)'],
    [
      "bash",
      '"bash" matches only calls from GitHub Copilot, OpenCode, pi, Auggie, and Crush; write Bash, which matches every host\'s',
    ],
    ["BASH", '"BASH" matches no tool; write Bash, which matches every host\'s'],
    [
      "edit",
      '"edit" matches only calls from GitHub Copilot, OpenCode, OpenClaw, pi, Auggie, Crush, and Qwen Code; write Edit, which matches every host\'s',
    ],
    ["webfetch", '"webfetch" matches only calls from OpenCode; write WebFetch, which matches every host\'s'],
    ["Shell(npm *)", '"Shell" matches only calls from Cursor; write Bash(npm *)'],
    [
      "bash(npm *)",
      '"bash" matches only calls from GitHub Copilot, OpenCode, pi, Auggie, and Crush; write Bash(npm *)',
    ],
    ["Bsh(npm *|pip *)", '"Bsh" matches no tool; write Bash(npm *)|Bash(pip *)'],
    ["MyTool(x)", 'only Bash supports parentheses, not "MyTool"'],
    ["Bsh", '"Bsh" matches no tool; did you mean Bash?'],
    ["bsah", '"bsah" matches no tool; did you mean Bash?'],
    ["Edti|Write", '"Edti" matches no tool; did you mean Edit?'],
    ["shell", '"shell" matches no tool; did you mean Shell?'],
    ["run_shel_command", '"run_shel_command" matches no tool; did you mean run_shell_command?'],
    ["mcp__memory", '"mcp__memory" matches no MCP tool; write mcp__memory__.*'],
    ["mcp__memory__", '"mcp__memory__" matches no MCP tool; write mcp__memory__.*'],
    ["mcp__memory__*", '"*" repeats the preceding character; write mcp__memory__.*'],
    ["MCP__memory__get", '"MCP__memory__get" matches no MCP tool; write mcp__memory__get'],
    ["Web*", '"Web*" matches no tool; write Web.*'],
  ];
  for (const [matcher, error] of CASES)
    test(matcher, async () => expect(await check(matcher)).toEqual({ errors: [error], notes: [] }));
  const NONE: [matcher: string, tools: Tool[]][] = [
    ["Bash(git push*)", ["Read"]],
    ["Bash|mcp__memory__.*", ["Read", "Write"]],
    ["Edit", ["Bash"]],
    ["MyTool", ["Read"]],
  ];
  for (const [matcher, tools] of NONE)
    test(`${matcher} with tool ${tools}`, async () =>
      expect((await check(matcher, ...tools)).errors).toEqual([
        `no call matches both the matcher and the tool ${tools.join(", ")}; remove the matcher or the tool`,
      ]));
});

describe("build prints a note for a matcher that may not match on every host:", () => {
  const quotes =
    "matches that character only if it is quoted: each command in a line is matched separately, without redirections";
  const CASES: [matcher: string, note: string][] = [
    ["MyTool", 'no known host has a tool "MyTool"; a tool of an MCP server is mcp__<server>__<tool>'],
    ["tiny_echo", 'no known host has a tool "tiny_echo"; a tool of an MCP server is mcp__<server>__<tool>'],
    ["My.*", 'no known host has a tool that matches "My.*"'],
    ["Shell", '"Shell" matches only calls from Cursor; Bash matches every host\'s'],
    [
      "apply_patch|Write",
      '"apply_patch" matches only calls from Codex, GitHub Copilot, OpenCode, OpenClaw, Auggie, and Cline; Edit matches every host\'s',
    ],
    ["MCP:echo", '"MCP:echo" matches only calls from Cursor; write mcp__<server>__<tool>, which matches every host\'s'],
    [
      "mcp_tiny_echo",
      '"mcp_tiny_echo" matches only calls from Gemini CLI, GitHub Copilot, and Crush; write mcp__<server>__<tool>, which matches every host\'s',
    ],
    ["Bash(cd * && npm *)", `"&&" in Bash(cd * && npm *) ${quotes}`],
    ["Bash(npm *, pip *)", `"," in Bash(npm *, pip *) ${quotes}`],
    ["Bash(echo * > *)", `">" in Bash(echo * > *) ${quotes}`],
  ];
  for (const [matcher, note] of CASES)
    test(matcher, async () => expect(await check(matcher)).toEqual({ errors: [], notes: [note] }));
  test("Bash|Read with tool Bash", async () =>
    expect(await check("Bash|Read", "Bash")).toEqual({
      errors: [],
      notes: [`Read is not one of the hook's tools (Bash)`],
    }));
});

test("build prints a note for a hook that subscribes to Write and not Edit", async () => {
  const [note] = await checkToolCoverage({ tools: ["Write"] });
  expect(note).toBe(
    "on Codex, GitHub Copilot, OpenCode, OpenClaw, Auggie, and Cline, a patch that adds a file counts as an Edit, so this hook isn't called; add Edit to its tools",
  );
  for (const tools of [["Write", "Edit"], ["Bash"]] as const) expect(await checkToolCoverage({ tools })).toEqual([]);
});

describe("a matcher for Write", () => {
  const patch = (command: string) => ({
    tool_name: "apply_patch",
    tool_input: { command: `*** Begin Patch\n${command}\n*** End Patch\n` },
  });
  const asked = async (change: Payload) => {
    let calls = 0;
    const hook = defineHook({ event: "PreToolUse", matcher: "Write", handler: () => void calls++ });
    const entries = [createHookEntry(hook, "w")];
    const payload = JSON.stringify(getPayload("codex", "PreToolUse-apply_patch", change));
    await passCall(
      { entries, explicit: {}, argv: ["--host", "codex"] },
      { env: {}, read: () => payload, isTrial: true },
    );
    return calls;
  };
  test("matches a patch that adds a file", async () => expect(await asked(patch("*** Add File: a.txt\n+one"))).toBe(1));
  test("does not match one that only changes a file", async () =>
    expect(await asked(patch("*** Update File: a.txt\n@@\n-a\n+b"))).toBe(0));
});

describe("build reports nothing for a valid matcher:", () => {
  const CASES = [
    ...TOOLS,
    "",
    "*",
    "Bash|Edit, Write",
    "Bash(git push*)|Bash(git * push*)",
    "Bash(*)",
    "Ba.*",
    ".*Edit.*",
    "mcp__.*",
    "mcp__memory__.*",
    "mcp__memory__get",
    "mcp__[a-z]+__get",
    "mcp__memory__[a-z]*",
    String.raw`mcp__\w*__get`,
    ".*__search",
    "Edit|Write|apply_patch",
    "Bash|Shell|run_shell_command",
    "TodoWrite|Skill",
  ];
  for (const matcher of CASES)
    test(matcher || "an empty matcher", async () => expect(await check(matcher)).toEqual({ errors: [], notes: [] }));
  const OF: [matcher: string, tool: Tool][] = [
    ["Bash(ls)", "Bash"],
    ["mcp__.*", "MCP"],
    ["TodoWrite", "Other"],
    ["Write", "Edit"],
  ];
  for (const [matcher, tool] of OF)
    test(`${matcher} with tool ${tool}`, async () =>
      expect(await check(matcher, tool)).toEqual({ errors: [], notes: [] }));
});

describe("the hosts' tool names", () => {
  const all = fixtures.flatMap(({ host, file, payload: given }) => {
    const payload = omitNulls(given);
    const name = host.getEventName(payload);
    if (name === "") return [];
    const { event } = host.decodePayload(payload, name, getCapabilityRow(host, name));
    return isToolCallEvent(event) ? [{ host, file, event }] : [];
  });
  test("include the name of every recorded call", async () => {
    for (const { host, file, event } of all.filter(({ event }) => event.tool !== "MCP" && event.tool !== "Other")) {
      const { tools } = await host.setup();
      const isListed = tools[event.tool]?.some((name) => new RegExp(`^(?:${name})$`).test(event.tool_name));
      expect([host.id, file, isListed]).toEqual([host.id, file, true]);
    }
    expect(all.length).toBeGreaterThan(100);
  });
  test("don't match any of the rejected matchers", async () => {
    for (const matcher of ["Bsh", "Web*", "mcp__tiny", "mcp__tiny__*", "BASH"])
      for (const { event } of all)
        expect(matchHook(createHookEntry({ event: event.event, matcher, handler: () => {} }, "x"), event)).toBe(false);
  });
  /** An input that works for every tool. */
  const patch = "*** Begin Patch\n*** Add File: a\n+a\n*** End Patch";
  const rich = (name: string): Payload => ({
    ...Object.fromEntries(
      [
        "file_path",
        "filePath",
        "target_file",
        "target_directory",
        "path",
        "notebook_path",
        "dir_path",
        "pattern",
        "query",
        "url",
        "prompt",
        "content",
        "old_string",
      ].map((field) => [field, "x"]),
    ),
    ...{
      new_string: "x",
      oldString: "x",
      newString: "x",
      new_source: "x",
      include: name === "read_many_files" ? ["x"] : "x",
      edits: [],
      files: ["x"],
      patterns: ["x"],
      replacements: [],
    },
    ...(/^apply_?patch$/i.test(name)
      ? { command: patch, input: patch, patchText: patch }
      : { command: "x", input: "x" }),
  });
  test("are decoded to the tool that lists them", async () => {
    let count = 0;
    for (const host of hosts) {
      const { decodeToolCall } = await import(join(ROOT, "src/hosts", host.id, "call.ts"));
      const { tools } = await host.setup();
      for (const [tool, names] of Object.entries(tools))
        // Cursor reports edits made by Tab, and edits already made, with separate events.
        for (const name of names.filter(
          (one) => /^\w+$/.test(one) && !one.startsWith("Tab") && !(tool === "Edit" && /^(Write|editor)$/.test(one)),
        )) {
          const call = decodeToolCall(
            name,
            tool === "Other" ? {} : rich(name),
            ...(host.id === "opencode" ? [[]] : []),
          );
          expect([host.id, name, call.tool]).toEqual([host.id, name, tool]);
          count++;
        }
    }
    expect(count).toBeGreaterThan(90);
  });
});
