import { describe, expect, test } from "bun:test";
import { parseConcernIndex } from "../../../src/protocol/concerns.ts";
import { createHookEntry, defineHook } from "../../../src/protocol/hook.ts";
import { createCallIndex } from "../../../src/call/screen/call-index.ts";

const handler = () => undefined;
const indexOf = (...hooks: Omit<Parameters<typeof defineHook>[0], "handler">[]) =>
  createCallIndex(hooks.map((hook, at) => createHookEntry(defineHook({ ...hook, handler } as never), `hook${at}`)));
const read = (text: string | false | undefined) => (text ? parseConcernIndex(text) : text);

describe("the index of calls that may concern a hook", () => {
  test("runs a hook that declares nothing for every call", () => {
    expect(indexOf({ event: "PreToolUse", tool: "Bash" })).toEqual({ PreToolUse: { Bash: false } });
    expect(indexOf({ event: "Stop" })).toEqual({ Stop: { Stop: false } });
  });

  test("merges the declarations of several hooks, and covers everything if one hook declares nothing", () => {
    const a = {
      event: "PreToolUse",
      tool: "Bash",
      concerns: { words: ["terraform", "git push", "mkfs.*", "remove-*"] },
    } as const;
    const b = { event: "PreToolUse", tool: "Bash", concerns: { texts: [".env"], contents: "secrets" } } as const;
    expect(read(indexOf(a, b).PreToolUse?.Bash)).toMatchObject({
      words: "|terraform|mkfs.|",
      wordLists: "|git push|",
      wordStarts: ["remove-"],
      texts: [".env"],
      secrets: true,
    });
    expect(indexOf(a, b, { event: "PreToolUse", tool: "Bash" }).PreToolUse?.Bash).toBe(false);
  });

  test("considers only results if no hook declares anything else about a finished call", () => {
    const results = { event: ["PreToolUse", "PostToolUse"], concerns: { results: "secrets" } } as const;
    const { PreToolUse, PostToolUse } = indexOf(results);
    // Before the call, there is no output to search.
    expect(Object.values(PreToolUse ?? {})).toEqual([false, false, false, false]);
    for (const tool of ["Bash", "Read", "Write", "Grep", "WebFetch", "MCP"])
      expect(read(PostToolUse?.[tool])).toMatchObject({ results: "alone", secrets: false });
    const words = { event: "PostToolUse", tool: "Bash", concerns: { words: ["terraform"] } } as const;
    expect(read(indexOf(results, words).PostToolUse?.Bash)).toMatchObject({ results: "too", words: "|terraform|" });
    expect(indexOf({ ...words, tool: ["Bash", "MCP"] }).PostToolUse).toMatchObject({ MCP: false });
    expect(indexOf(results, { event: "PostToolUse", matcher: "mcp__a__.*" }).PostToolUse?.MCP).toBe(false);
  });

  test("finds declared words anywhere in the command if the last one is the prefix of a word", () => {
    const { PreToolUse } = indexOf({
      event: "PreToolUse",
      tool: "Bash",
      concerns: { words: ["git pu*", "docker rm"] },
    });
    expect(read(PreToolUse?.Bash)).toMatchObject({ words: "|git|", wordLists: "|docker rm|" });
  });

  test("keeps the parts that a command must also contain, unless its word alone is declared", () => {
    const { PreToolUse } = indexOf(
      { event: "PreToolUse", tool: "Bash", concerns: { words: ["gh *token*", "gh *auth*", "rm *-r*"] } },
      { event: "PreToolUse", tool: "Bash", concerns: { words: ["rm", "rm *x*"], bareWords: { set: "", rm: "" } } },
      { event: "PreToolUse", tool: "Bash", concerns: { bareWords: { set: "o" }, expansions: ["token", "a_token"] } },
    );
    expect(read(PreToolUse?.Bash)).toMatchObject({
      words: "|rm|",
      wordParts: "|gh token auth|",
      bareWords: "|set o|",
      expansions: ["token"],
    });
  });

  test("keeps programs that matter outside the project, for commands and for paths", () => {
    const concerns = { words: ["rm"], paths: [".env"], outward: ["cp", "mv"] };
    const { PreToolUse } = indexOf({ event: "PreToolUse", tool: ["Bash", "Write", "Read"], concerns });
    for (const tool of ["Bash", "Write", "Read"])
      expect(read(PreToolUse?.[tool])).toMatchObject({ outward: "|cp|mv|" });
  });

  test("ignores texts that no command or every command contains", () => {
    for (const texts of [[""], ["", ".env"], ["a\tb"], ["a\nb"]])
      expect(indexOf({ event: "PreToolUse", tool: "Bash", concerns: { texts } })).toEqual({
        PreToolUse: { Bash: false },
      });
    expect(indexOf({ event: "PreToolUse", tool: "Bash", concerns: { words: ["*"] } }).PreToolUse?.Bash).toBe(false);
  });

  test("finds a Windows path written with slashes", () => {
    const { PreToolUse } = indexOf({ event: "PreToolUse", tool: "Read", concerns: { texts: ["\\secrets\\", ".env"] } });
    expect(read(PreToolUse?.Read)).toMatchObject({ texts: ["\\secrets\\", "/secrets/", ".env"] });
  });

  test("does not apply command words to files, prompts and other events", () => {
    const concerns = { words: ["terraform"] };
    expect(indexOf({ event: ["PreToolUse", "UserPromptSubmit", "Stop"], concerns })).toMatchObject({
      PreToolUse: { Bash: expect.any(String), Write: false, Read: false, Edit: false },
      UserPromptSubmit: { UserPromptSubmit: false },
      Stop: { Stop: false },
    });
  });

  test("takes the words that a call must contain from a matcher's pattern", () => {
    const { PreToolUse } = indexOf({ event: "PreToolUse", matcher: "Bash(git push*)|Bash(npm publish)" });
    expect(read(PreToolUse?.Bash)).toMatchObject({ texts: ["push", "publish"] });
    expect(Object.keys(PreToolUse ?? {})).toEqual(["Bash"]);
    expect(indexOf({ event: "PreToolUse", matcher: "Edit|Write" }).PreToolUse).toEqual({ Write: false, Edit: false });
    expect(indexOf({ event: "PreToolUse", matcher: "run_shell_.*" }).PreToolUse).toEqual({ Bash: false });
    expect(indexOf({ event: "PreToolUse", matcher: "mcp__.*" }).PreToolUse).toEqual({});
  });
});
