import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { cellsOf, pick } from "../../src/protocol/capability.ts";
import { type AnyEvent, type EventName, EVENTS, isCall } from "../../src/protocol/event.ts";
import { type Host, type Payload, rowOf } from "../../src/protocol/host/host.ts";
import { lower } from "../../src/protocol/lower.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import { type Speech, silence } from "../../src/protocol/host/scripts.ts";
import { type FileChange, TOOLS, type Tool } from "../../src/protocol/tool.ts";
import { hosts } from "../../src/hosts/index.ts";
import { withoutNulls } from "../../src/hosts/wire.ts";
import { detect } from "../../src/run/detect.ts";
import { settingsOf } from "../../src/run/options.ts";
import { fixtures } from "../support/fixtures.ts";

const speeches: Record<string, Speech> = {};
for (const host of hosts) speeches[host.id] = await host.speech();
const speechOf = (id: string) => speeches[id] as Speech;
const hostOf = (id: string) => hosts.find((host) => host.id === id) as Host;

/** A payload as its host's adapter reads it, with the payload as it came. */
function hear(host: Host, payload: Payload, native_event: string): AnyEvent {
  const { event } = host.decode(withoutNulls(payload), native_event, rowOf(host, native_event));
  event._native = payload;
  return event;
}

/** The event that the entry named: a payload that says none was recorded under its name. */
const nameOf = (file: string, { hook_event_name, event }: Payload) =>
  String(hook_event_name ?? event ?? /^(?:PascalCase-)?(\w+)/.exec(file)?.[1]);

const recorded = fixtures.map(({ host, version, file, payload }) => {
  const native_event = nameOf(file, payload);
  return {
    host,
    name: `${host.id} ${version} ${file}`,
    native_event,
    payload,
    event: hear(host, payload, native_event),
  };
});

/** What an event says, without what its payload alone says. */
const plain = ({ _native, host_version, ...rest }: AnyEvent) => JSON.parse(JSON.stringify(rest)) as Payload;

describe("an event of a host's own", () => {
  /** What is told by another name than it came by, where the payload is not at hand. */
  const RENAMED: Readonly<Record<string, object>> = {
    "gemini gemini-cli-0.61.0 BeforeTool-search_file_content": { tool_name: "grep_search" },
    "gemini gemini-cli-0.61.0 AfterTool-search_file_content": { tool_name: "grep_search" },
  };
  for (const { host, name, native_event, payload, event } of recorded) {
    test(`${name} is told as it came`, () => {
      const [first, ...others] = speechOf(host.id).payloads(event);
      expect(first).toEqual({ native_event, payload, call: 0 });
      for (const other of others) expect(other.native_event).not.toBe(native_event);
    });
    if (event.event === "Native") continue;
    test(`${name} is told anew from what it says`, () => {
      const spoken = speechOf(host.id).payloads({ ...event, _native: {} });
      const again = spoken.find((one) => one.native_event === native_event);
      expect(plain(hear(host, again?.payload ?? {}, native_event))).toEqual({ ...plain(event), ...RENAMED[name] });
    });
  }
  test("all of them were told", () => {
    expect(recorded.length).toBeGreaterThan(380);
    expect(Object.keys(RENAMED).filter((name) => !recorded.some((one) => one.name === name))).toEqual([]);
  });

  test("a call that a hook has changed is told with the change", () => {
    let told = 0;
    for (const { host, native_event, event } of recorded.filter(
      ({ event }) => event.event === "PreToolUse" && event.tool === "Bash",
    )) {
      const changed = { ...event, input: { ...(event as { input: object }).input, command: "npm ci" } } as AnyEvent;
      const [first] = speechOf(host.id).payloads(changed);
      expect(first?.native_event).toBe(native_event);
      expect(plain(hear(host, first?.payload ?? {}, native_event))).toEqual(plain(changed));
      told++;
    }
    expect(told).toBe(27);
  });
});

// From host to host.

const base = { host: "elsewhere", native_event: "elsewhere", session_id: "s-1", cwd: "/srv/it", _native: {} };
const change = (old_string: string, new_string: string) => ({ old_string, new_string });
const FILES: FileChange[] = [
  { file_path: "/srv/it/new.txt", operation: "add", edits: [change("", "hello\n")] },
  { file_path: "/srv/it/a.txt", operation: "update", edits: [change("one\n", "uno\n"), change("two\n", "due\n")] },
  { file_path: "/srv/it/old.txt", operation: "move", moved_to: "/srv/it/moved.txt", edits: [change("x\n", "y\n")] },
  { file_path: "/srv/it/gone.txt", operation: "delete", edits: [] },
];
const INPUTS: readonly [Tool, object][] = [
  ["Bash", { command: "rm -rf /" }],
  ["Bash", { command: 'a "b" $c', description: "d", cwd: "/srv/it/sub", timeout_ms: 3000, run_in_background: true }],
  ["Read", { file_path: "/etc/passwd" }],
  ["Read", { file_path: "/etc/passwd", offset: 10, limit: 5, content: "secret" }],
  ["Write", { file_path: "/srv/it/.env", content: "A=1" }],
  ["Edit", { files: [{ file_path: "/srv/it/a.txt", operation: "update", edits: [change("one", "two")] }] }],
  ["Edit", { files: FILES }],
  ["Glob", { pattern: "*" }],
  ["Glob", { pattern: "**/*.ts", path: "src" }],
  ["Grep", { pattern: "x", path: "src", glob: "*.ts" }],
  ["WebFetch", { url: "https://example.com/a" }],
  ["WebFetch", { url: "https://example.com/a", prompt: "what is it?" }],
  ["WebSearch", { query: "q" }],
  ["Task", { prompt: "do it", description: "d", agent_type: "explore" }],
  ["MCP", { server: "memory", tool: "search", arguments: { q: "x" } }],
  ["MCP", { tool: "my-server-do-it", arguments: {} }],
  ["MCP", { tool: "search", arguments: { q: [1] } }],
  ["Other", { anything: [1, { a: null }] }],
];
const made = INPUTS.map(
  ([tool, input]) => ({ ...base, event: "PreToolUse", tool, tool_name: "AnyTool", input }) as AnyEvent,
);

const FIELDS = {
  source: "resume",
  reason: "logout",
  prompt: "say hi",
  attachments: ["/srv/it/a.txt"],
  last_message: "bye",
  continuations: 0,
  task: "look",
  agent_id: "a-1",
  agent_type: "explore",
  trigger: "manual",
  message: "look here",
  notification_type: "idle",
};
/** An event of a kind: about a shell command, or of the session. */
function anEvent(event: EventName, more: object = {}): AnyEvent {
  const calls: EventName[] = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];
  const call = { ...made[0], output: { text: "", raw: "" }, error: "e" };
  return { ...base, ...(calls.includes(event) ? call : FIELDS), ...more, event } as unknown as AnyEvent;
}

type Heard = readonly [tool: Tool, input: object];
const only = (input: Payload, ...names: string[]): Payload =>
  Object.fromEntries(names.filter((name) => name in input).map((name) => [name, input[name]]));
const byLine = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
const all = (edits: FileChange["edits"]) => edits.map(({ new_string }) => new_string).join("");
const onlyUpdates = (files: readonly FileChange[]) => files.every(({ operation }) => operation === "update");

/** A patch knows lines alone. */
const patch = (files: readonly FileChange[]): Heard[] => [
  [
    "Edit",
    {
      files: files.map((file) => ({
        ...file,
        edits: file.edits.map((edit) => ({ ...edit, ...change(byLine(edit.old_string), byLine(edit.new_string)) })),
      })),
    },
  ],
];
/** One call a change; who deletes or moves touches the file. */
const changes = (files: readonly FileChange[]): Heard[] =>
  files.flatMap(({ file_path, operation, moved_to, edits }): Heard[] => {
    const one = (path: string, edit: object): Heard => [
      "Edit",
      { files: [{ file_path: path, operation: "update", edits: [edit] }] },
    ];
    if (operation === "add") return [["Write", { file_path, content: all(edits) }]];
    if (operation === "delete") return [one(file_path, change("", ""))];
    const each = edits.map(({ old_string, new_string }) => one(file_path, change(old_string, new_string)));
    return [...each, ...(moved_to ? [one(moved_to, change("", ""))] : [])];
  });
/** Whole files, as far as they are known. */
const wholes = (files: readonly FileChange[]): Heard[] =>
  files.flatMap(({ file_path, operation, moved_to, edits }): Heard[] => {
    const gone: Heard = ["Edit", { files: [{ file_path, operation: "delete", edits: [] }] }];
    if (operation === "delete") return [gone];
    return [
      ["Write", { file_path: moved_to ?? file_path, content: all(edits) }],
      ...(operation === "move" ? [gone] : []),
    ];
  });
/** A name that is joined by hyphens is read in every way. */
function servers({ server, tool, arguments: args }: Payload): Heard[] {
  const words = String(tool).split("-");
  const named = (server: unknown, tool: unknown): Heard => ["MCP", { server, tool, arguments: args }];
  if (server !== undefined) return [named(server, tool)];
  if (words.length === 1) return [named("unknown", tool)];
  return words.slice(1).map((_, at) => named(words.slice(0, at + 1).join("-"), words.slice(at + 1).join("-")));
}

/** What each host's adapter hears of a call from elsewhere, where it is not the call itself. Nothing: the host has no such tool. */
const HEARD: Readonly<Record<string, Partial<Record<Tool, (input: any, event: AnyEvent) => readonly Heard[]>>>> = {
  claude: {
    Bash: (input) => [["Bash", only(input, "command", "description", "timeout_ms", "run_in_background")]],
    Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
    Edit: ({ files }) => changes(files),
    MCP: servers,
  },
  codex: {
    Bash: (input) => [["Bash", only(input, "command", "description")]],
    Read: (input) => [["Read", only(input, "file_path")]],
    Write: ({ file_path, content }) => patch([{ file_path, operation: "add", edits: [change("", content)] }]),
    Edit: ({ files }) => patch(files),
    Task: (input) => [["Task", only(input, "prompt", "agent_type")]],
    MCP: servers,
    Glob: () => [],
    Grep: () => [],
    WebFetch: () => [],
    WebSearch: () => [],
  },
  cursor: {
    Bash: (input, { cwd }) => [["Bash", { ...only(input, "command", "timeout_ms"), cwd: input.cwd ?? cwd }]],
    Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
    Edit: ({ files }) => wholes(files),
    Glob: (input, { cwd }) => [["Glob", input.pattern === "*" ? { pattern: "*", path: input.path ?? cwd } : input]],
    WebFetch: (input) => [["WebFetch", only(input, "url")]],
    MCP: (input) => [["MCP", only(input, "tool", "arguments")]],
  },
  gemini: {
    Bash: (input) => [["Bash", only(input, "command", "description", "cwd", "run_in_background")]],
    Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
    Edit: ({ files }) => changes(files),
    WebFetch: ({ url, prompt = "" }) => [
      ["WebFetch", { url, prompt: prompt.includes(url) ? prompt : `${prompt} ${url}`.trim() }],
    ],
    Task: (input) => [["Task", only(input, "prompt", "agent_type")]],
    MCP: servers,
  },
  copilot: {
    Bash: (input) => [["Bash", only(input, "command", "description")]],
    Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
    Write: (input, { event }) =>
      event === "PermissionRequest"
        ? patch([{ file_path: input.file_path, operation: "add", edits: [change("", input.content)] }])
        : [["Write", input]],
    Edit: ({ files }, { event }) =>
      event === "PermissionRequest" ? patch(files) : onlyUpdates(files) ? changes(files) : patch(files),
    MCP: ({ server, tool, arguments: args }, { event }) => {
      const joined = server === undefined ? (tool.includes("-") ? tool : `unknown-${tool}`) : `${server}-${tool}`;
      return [
        ["MCP", event === "PermissionRequest" ? { server, tool, arguments: args } : { tool: joined, arguments: args }],
      ];
    },
  },
  opencode: {
    Bash: (input) => [["Bash", only(input, "command", "description", "cwd", "timeout_ms")]],
    Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
    Edit: ({ files }) => (onlyUpdates(files) ? changes(files) : patch(files)),
    WebFetch: (input) => [["WebFetch", only(input, "url")]],
    MCP: servers,
  },
  openclaw: {
    Read: (input) => [["Read", only(input, "file_path", "offset", "limit")]],
    Edit: ({ files }: { files: FileChange[] }) =>
      onlyUpdates(files) ? files.map((file) => ["Edit", { files: [file] }] as const) : patch(files),
    WebFetch: (input) => [["WebFetch", only(input, "url")]],
    MCP: servers,
    Glob: () => [],
    Grep: () => [],
  },
};

describe("a call of one host in the words of another", () => {
  const calls = [...recorded.map(({ event }) => event), ...made].filter(isCall);
  const pairs = new Set<string>();
  let told = 0;
  for (const host of hosts) {
    test(host.id, () => {
      for (const event of calls.filter((one) => one.host !== host.id && !host.absent.includes(one.event))) {
        const spoken = speechOf(host.id).payloads(event);
        const first = spoken.filter(({ native_event }) => native_event === spoken[0]?.native_event);
        const heard = first.map(({ payload, native_event }) => hear(host, payload, native_event)).filter(isCall);
        const expected = HEARD[host.id]?.[event.tool]?.(event.input, event) ?? [[event.tool, event.input]];
        const where = `${event.host} ${event.native_event} ${event.tool_name}`;
        expect([where, heard.map(({ tool, input }) => [tool, JSON.parse(JSON.stringify(input))])]).toEqual([
          where,
          JSON.parse(JSON.stringify(expected)),
        ]);
        for (const [at, one] of first.entries()) expect(one.call).toBe(at);
        for (const one of heard)
          expect([one.event, one.session_id, one.host]).toEqual([event.event, event.session_id, host.id]);
        pairs.add(`${event.host} ${host.id} ${event.tool}`);
        told++;
      }
    });
  }
  test("every tool went from every host that has it to every other", () => {
    const from = new Map(calls.map((event) => [`${event.host} ${event.tool}`, event]));
    const expected = [...from.values()].flatMap((event) =>
      hosts.filter(({ id }) => id !== event.host).map(({ id }) => `${event.host} ${id} ${event.tool}`),
    );
    expect([...pairs].sort()).toEqual([...new Set(expected)].sort());
    for (const tool of TOOLS) expect(made.some((event) => isCall(event) && event.tool === tool)).toBe(true);
    expect(told).toBeGreaterThan(1000);
  });

  test("what the shell's folder is, is told as the session's where the tool has none", () => {
    const event = made[1] as AnyEvent;
    const folders = hosts.map(({ id }) => [id, speechOf(id).payloads(event)[0]?.payload.cwd]);
    expect(Object.fromEntries(folders)).toEqual({
      claude: "/srv/it/sub",
      cursor: "/srv/it/sub",
      codex: "/srv/it/sub",
      gemini: "/srv/it",
      copilot: "/srv/it/sub",
      opencode: "/srv/it",
      openclaw: "/srv/it",
    });
  });

  test("what a call gave is told, and whether it failed", () => {
    const output = { text: "hi\n", raw: { odd: 1 }, stdout: "hi\n", exit_code: 0 };
    const event = { ...made[0], event: "PostToolUse", output, duration_ms: 7 } as AnyEvent;
    const failure = { ...made[0], event: "PostToolUseFailure", error: "no such file" } as AnyEvent;
    let texts = 0;
    let errors = 0;
    for (const host of hosts) {
      const heard = speechOf(host.id)
        .payloads(event)
        .map((one) => hear(host, one.payload, one.native_event));
      for (const one of heard)
        expect([host.id, (one as typeof event & { output: { text: string } }).output.text]).toEqual([host.id, "hi\n"]);
      texts += heard.length;
      for (const { payload, native_event } of speechOf(host.id).payloads(failure)) {
        expect((hear(host, payload, native_event) as { error?: string }).error).toBe("no such file");
        errors++;
      }
    }
    expect([texts, errors]).toEqual([9, 6]);
  });

  test("a file that the host shows its hook before a read is read for it", () => {
    const file = import.meta.path;
    const event = { ...made[2], input: { file_path: file } } as AnyEvent;
    const told = speechOf("cursor").payloads(event);
    expect(told.map(({ native_event }) => native_event)).toEqual(["preToolUse", "beforeReadFile", "beforeTabFileRead"]);
    expect(String(told[1]?.payload.content)).toStartWith("import { describe");
    expect(
      speechOf("cursor").payloads({ ...event, input: { file_path: "/dev/zero" } } as AnyEvent)[1]?.payload.content,
    ).toBe("");
  });
});

describe("an event of the session in the words of another host", () => {
  const everywhere = hosts.map(({ id }) => id);
  /** Which hosts can tell a field; the others have no word for it. */
  const KEPT: readonly [event: EventName, field: keyof typeof FIELDS, hosts: readonly string[]][] = [
    // "resume" is all that OpenCode tells of it.
    ["SessionStart", "source", everywhere.filter((id) => id !== "cursor")],
    ["SessionEnd", "reason", ["claude", "cursor", "gemini", "copilot", "openclaw"]],
    ["UserPromptSubmit", "prompt", everywhere],
    ["UserPromptSubmit", "attachments", ["cursor", "opencode"]],
    ["Stop", "last_message", ["claude", "codex", "gemini", "openclaw"]],
    ["SubagentStart", "task", ["cursor", "openclaw"]],
    ["SubagentStart", "agent_type", ["claude", "codex", "copilot", "cursor"]],
    ["SubagentStop", "last_message", ["claude", "codex", "copilot", "cursor", "openclaw"]],
    ["PreCompact", "trigger", ["claude", "codex", "copilot", "cursor", "gemini"]],
    ["PostCompact", "trigger", ["claude", "codex"]],
    ["Notification", "message", ["claude", "copilot", "gemini"]],
    ["Notification", "notification_type", ["claude", "copilot", "gemini"]],
  ];
  let told = 0;
  for (const [event, field, kept] of KEPT) {
    test(`${event}: ${field}`, () => {
      const given = anEvent(event);
      for (const host of hosts.filter(({ absent }) => !absent.includes(given.event))) {
        for (const { payload, native_event } of speechOf(host.id).payloads(given)) {
          const heard = hear(host, payload, native_event) as unknown as Record<string, unknown>;
          expect([host.id, heard.event, heard.session_id, heard.cwd]).toEqual([
            host.id,
            event,
            host.id === "openclaw" && event === "SubagentStop" ? "agent:main:subagent:a-1" : "s-1",
            "/srv/it",
          ]);
          if (kept.includes(host.id)) expect([host.id, heard[field]]).toEqual([host.id, FIELDS[field]]);
          else expect([host.id, heard[field]]).not.toEqual([host.id, FIELDS[field]]);
          told++;
        }
      }
    });
  }
  test("all of them were told", () => expect(told).toBe(80));

  test("that the agent goes on already is told where hosts tell it", () => {
    const given = { ...base, event: "Stop", continuations: 2 } as AnyEvent;
    const active = hosts.map((host) => {
      const { payload = {}, native_event = "" } = speechOf(host.id).payloads(given)[0] ?? {};
      const { continuing, continuations } = host.decode(withoutNulls(payload), native_event, rowOf(host, native_event));
      return [host.id, continuing ?? continuations];
    });
    expect(Object.fromEntries(active)).toEqual({
      claude: true,
      cursor: 2,
      codex: true,
      gemini: true,
      copilot: true,
      opencode: undefined,
      openclaw: 2,
    });
  });

  test("what a model said in the recordings is told to nobody", () => {
    for (const host of hosts)
      for (const event of EVENTS.filter((name) => !host.absent.includes(name)))
        for (const { payload } of speechOf(host.id).payloads(
          anEvent(event, { last_message: undefined, task: undefined }),
        ))
          expect(JSON.stringify(payload)).not.toMatch(
            /FINAL TEXT|DONE|do it|SUMMARY|keep it short|marker\.txt|\/home\/dev\/app\b(?!\/\.)/,
          );
  });
});

describe("what is told", () => {
  test("holds whatever is in a command, an argument, a prompt, a session's name and its folder", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom('"', "$&", "\\", "\n", "*** End Patch", "mcp__a__b", "\u2028"),
    );
    const heard = (host: Host, event: AnyEvent) =>
      speechOf(host.id)
        .payloads(event)
        .slice(0, 1)
        .map(
          ({ payload, native_event }) =>
            hear(host, JSON.parse(JSON.stringify(payload)), native_event) as unknown as Record<string, any>,
        );
    let told = 0;
    fc.assert(
      fc.property(text, text, text, (one, two, three) => {
        const session = { session_id: `s${two}`, cwd: `/${three}` };
        const about = [
          { ...made[0], ...session, input: { command: one } },
          { ...made[14], ...session, input: { server: "a", tool: "b", arguments: { [two]: one } } },
          { ...base, ...session, event: "UserPromptSubmit", prompt: one },
        ] as AnyEvent[];
        for (const host of hosts) {
          const [bash, mcp, prompt] = about.flatMap((event) => heard(host, event));
          expect([bash?.input.command, mcp?.input.arguments, prompt?.prompt]).toEqual([one, { [two]: one }, one]);
          for (const event of [bash, mcp, prompt])
            expect([event?.session_id, event?.cwd]).toEqual([session.session_id, session.cwd]);
          told++;
        }
      }),
      { numRuns: 200 },
    );
    expect(told).toBe(1400);
  });

  test("is recognised as the host's without a flag, under its own event's name", async () => {
    let told = 0;
    for (const { event } of [...recorded, ...made.map((event) => ({ event }))]) {
      for (const host of hosts) {
        for (const { payload, native_event } of speechOf(host.id).payloads(event)) {
          const clean = withoutNulls(payload);
          expect([event.host, native_event, await detect(hosts, clean, { env: {} })]).toEqual([
            event.host,
            native_event,
            { host },
          ]);
          expect(host.eventName(clean, native_event)).toBe(native_event);
          told++;
        }
      }
    }
    expect(told).toBeGreaterThan(2700);
  });

  /** What a host leaves out where the event does not say it. */
  const OPTIONAL = [
    "duration_ms",
    "duration",
    "last_assistant_message",
    "prompt_response",
    "response",
    "summary",
    "cwd",
    "derivedPaths",
    "label",
  ];
  test("has all fields that the recorded payload of the event has", () => {
    let told = 0;
    for (const { host, native_event, payload, event } of recorded) {
      const foreign = { ...event, host: "elsewhere", native_event: "elsewhere", _native: {} } as AnyEvent;
      for (const one of speechOf(host.id)
        .payloads(foreign)
        .filter((spoken) => spoken.native_event === native_event)) {
        const mine = Object.keys(one.payload);
        // What only some of an event's payloads have is not told of all: the agent's, a tool's, the release's own.
        const sample = recorded
          .filter((other) => other.host === host && other.native_event === native_event)
          .map((other) => Object.keys(other.payload));
        const always = Object.keys(payload).filter(
          (key) => !OPTIONAL.includes(key) && sample.every((keys) => keys.includes(key)),
        );
        expect([host.id, native_event, always.filter((key) => !mine.includes(key))]).toEqual([
          host.id,
          native_event,
          [],
        ]);
        told++;
      }
    }
    expect(told).toBeGreaterThan(280);
  });

  test("is nothing where the host has no such event or tool, and it is said why", () => {
    const notification = { ...base, event: "Notification", message: "m" } as AnyEvent;
    const native = { ...base, event: "Native" } as AnyEvent;
    const grep = made.find((event) => isCall(event) && event.tool === "Grep") as AnyEvent;
    expect(speechOf("codex").payloads(notification)).toEqual([]);
    expect(silence(hostOf("codex"), notification)).toBe("Codex has no such event");
    expect(speechOf("codex").payloads(grep)).toEqual([]);
    expect(silence(hostOf("codex"), grep)).toBe("Codex has no tool for this Grep call that its hooks hear of");
    for (const { id } of hosts) expect([id, speechOf(id).payloads(native)]).toEqual([id, []]);
  });

  test("is every unified event that the host has", () => {
    let told = 0;
    for (const host of hosts) {
      for (const event of EVENTS.filter((name) => name !== "Native")) {
        const given = anEvent(event);
        expect([host.id, event, speechOf(host.id).payloads(given).length > 0]).toEqual([
          host.id,
          event,
          !host.absent.includes(event),
        ]);
        told++;
      }
    }
    expect(told).toBe(hosts.length * 13);
  });
});

describe("what a hook answers is understood as it was meant", () => {
  const FULL: IHookResponse = { decision: "deny", reason: "R", user_message: "M", additional_context: "C" };
  const ANSWERS: readonly [
    field: "allow" | "deny" | "ask" | "user_message" | "modified_input" | "additional_context" | "modified_output",
    response: IHookResponse,
  ][] = [
    ["allow", { decision: "allow" }],
    ["deny", { decision: "deny", reason: "R" }],
    ["deny", FULL],
    ["ask", { decision: "ask", reason: "R" }],
    ["user_message", { user_message: "M" }],
    ["additional_context", { additional_context: "C" }],
    ["modified_input", { modified_input: { command: "NEW" } }],
    ["modified_output", { modified_output: "O" }],
  ];
  const deny = (reason: string, more: IHookResponse = {}): IHookResponse => ({ decision: "deny", reason, ...more });
  const AFTER = "its result is written behind: nothing tells a denial from a context there";
  const ONE = "one text is all that it reads of a denial";

  /** Where an answer comes back as something else, since the host's own form can't tell the two apart. */
  const CHANGED: readonly [
    host: string,
    events: RegExp,
    given: IHookResponse,
    understood: IHookResponse,
    why: string,
  ][] = [
    [
      "claude",
      /^Stop$/,
      { additional_context: "C" },
      { user_message: "C" },
      "a context would make it go on, so the user is told",
    ],
    [
      "claude",
      /^Stop$/,
      FULL,
      deny("R", { user_message: "M\n\nC" }),
      "a context would make it go on, so the user is told",
    ],
    ["claude", /^ConfigChange$/, deny("R"), deny("A hook denied it."), "nobody is told a reason"],
    ["claude", /^ConfigChange$/, FULL, deny("A hook denied it."), "nobody is told a reason"],
    ["cursor", /^sessionStart$/, FULL, deny("M"), ONE],
    ["cursor", /^beforeSubmitPrompt$/, FULL, deny("M", { additional_context: "C" }), ONE],
    ["cursor", /^postToolUse/, deny("R"), { additional_context: "R" }, AFTER],
    ["cursor", /^postToolUse/, FULL, { additional_context: "R\n\nC" }, AFTER],
    [
      "codex",
      /^Stop$/,
      { additional_context: "C" },
      { user_message: "C" },
      "it fails the hook on a context, so the user is told",
    ],
    ["codex", /^(PreToolUse|PostToolUse|UserPromptSubmit|Stop)$/, FULL, deny("R\n\nM\n\nC"), ONE],
    ["codex", /^(PermissionRequest|SubagentStop)$/, FULL, deny("R\n\nM"), ONE],
    ["codex", /^PostToolUse$/, { modified_output: "O" }, deny("O"), "its one way is the reason of a denial"],
    ["gemini", /^AfterTool$/, { modified_output: "O" }, deny("O"), "its one way is the reason of a denial"],
    ["gemini", /^AfterTool$/, FULL, deny("R\n\nC", { user_message: "M" }), ONE],
    [
      "gemini",
      /^AfterAgent$/,
      { additional_context: "C" },
      { user_message: "C" },
      "it drops a context, so the user is told",
    ],
    ["gemini", /^AfterAgent$/, FULL, deny("R", { user_message: "M\n\nC" }), "it drops a context, so the user is told"],
    ["copilot", /^(postToolUse|userPromptSubmitted)$/, FULL, deny("R\n\nC"), ONE],
    ["copilot", /^(PostToolUse|UserPromptSubmit)$/, FULL, deny("R\n\nC", { user_message: "M" }), ONE],
    ["copilot", /^postToolUseFailure$/, deny("R"), { additional_context: "R" }, AFTER],
    ["copilot", /^postToolUseFailure$/, FULL, { additional_context: "R\n\nC" }, AFTER],
    ["copilot", /^PostToolUseFailure$/, deny("R"), { additional_context: "R" }, AFTER],
    ["copilot", /^PostToolUseFailure$/, FULL, { user_message: "M", additional_context: "R\n\nC" }, AFTER],
    ["opencode", /^tool\.execute\.after$/, deny("R"), { additional_context: "R" }, AFTER],
    ["opencode", /^tool\.execute\.after$/, FULL, { user_message: "M", additional_context: "R\n\nC" }, AFTER],
    ["openclaw", /^before_agent_run$/, FULL, deny("M\n\nR"), ONE],
    ["openclaw", /^(before_tool_call|tool_result|tool_failure)$/, FULL, deny("R\n\nC", { user_message: "M" }), ONE],
  ];
  const used = new Set<unknown>();
  let understood = 0;

  for (const host of hosts) {
    for (const [native_event, make] of Object.entries(host.capabilities)) {
      test(`${host.id} ${native_event}`, () => {
        const row = make();
        const samples = recorded.filter((one) => one.host === host && one.native_event === native_event);
        const found = samples.find(({ event }) => isCall(event) && event.tool === "Bash") ?? samples[0];
        const event = found?.event ?? ({ ...base, host: host.id, native_event, event: row.event } as AnyEvent);
        const version = event.host_version;
        const kept = (field: "reason" | "user_message" | "additional_context") =>
          pick(row[field], version).support !== "drop";
        for (const [field, response] of ANSWERS) {
          const cell = pick(cellsOf(row, field), version);
          if (cell.support !== "native" && cell.support !== "emulated") continue;
          if (field === "modified_input" && !(isCall(event) && event.tool === "Bash")) continue;
          // Fields that the host takes none of are no part of the answer.
          const given = Object.fromEntries(
            Object.entries(response).filter(
              ([name]) => !["reason", "user_message", "additional_context"].includes(name) || kept(name as "reason"),
            ),
          );
          const answer: IHookResponse =
            field === "modified_input" && row.event === "PermissionRequest" ? { decision: "allow", ...given } : given;
          const settings = settingsOf(host, {});
          const { lowered } = lower({ ...response, ...answer }, { host, row, event, settings });
          // One host replaces the results of some tools alone.
          if (field === "modified_output" && lowered.output === undefined) continue;
          const result = host.encode(lowered, row.shape, native_event, settings);
          const changed = CHANGED.find(
            ([id, events, one]) => id === host.id && events.test(native_event) && Bun.deepEquals(one, response),
          );
          if (changed) used.add(changed);
          const heard = speechOf(host.id).understand({ native_event, payload: found?.payload ?? {} }, result);
          expect([response, heard]).toEqual([
            response,
            changed ? changed[3] : cell.silent && result.stdout === host.neutral ? {} : answer,
          ]);
          understood++;
        }
      });
    }
  }
  test("all of them were, and each exception is one", () => {
    expect(CHANGED.filter((one) => !used.has(one))).toEqual([]);
    expect(understood).toBe(731);
  });
});

describe("what scripts that were written for one host answer", () => {
  const specific = (fields: object, more: object = {}, hookEventName = "PreToolUse") =>
    JSON.stringify({ ...more, hookSpecificOutput: { hookEventName, ...fields } });
  const json = JSON.stringify;
  const DENY = { permissionDecision: "deny", permissionDecisionReason: "R" };
  const deny = (reason: string, more: IHookResponse = {}): IHookResponse => ({ decision: "deny", reason, ...more });
  const command = (command: string): IHookResponse => ({ modified_input: { command } });
  const unread = "it printed text before its answer";

  /** [host, native event, stdout, stderr, exit code, the response, or the words of the failure]. */
  const SEEN: readonly [string, string, string, string, number, IHookResponse | string][] = [
    ["claude", "PreToolUse", "", "", 0, {}],
    ["claude", "PreToolUse", "", "R\n", 2, deny("R")],
    ["claude", "PreToolUse", "", "", 2, { decision: "deny" }],
    ["claude", "PreToolUse", specific(DENY), "", 0, deny("R")],
    ["claude", "PreToolUse", specific(DENY), "", 1, deny("R")],
    ["claude", "PreToolUse", specific(DENY), "other", 2, deny("R")],
    [
      "claude",
      "PreToolUse",
      `${specific({ ...DENY, additionalContext: "C" }, { systemMessage: "M", suppressOutput: true })}\n`,
      "",
      0,
      deny("R", { user_message: "M", additional_context: "C" }),
    ],
    [
      "claude",
      "PreToolUse",
      specific({ permissionDecision: "allow", permissionDecisionReason: "ok" }),
      "",
      0,
      { decision: "allow", reason: "ok" },
    ],
    [
      "claude",
      "PreToolUse",
      specific({ permissionDecision: "ask", permissionDecisionReason: "R" }),
      "",
      0,
      { decision: "ask", reason: "R" },
    ],
    ["claude", "PreToolUse", specific({ permissionDecision: "defer" }), "", 0, { decision: "ask" }],
    ["claude", "PreToolUse", json({ decision: "block", reason: "R" }), "", 0, deny("R")],
    [
      "claude",
      "PreToolUse",
      json({ decision: "approve", reason: "fine" }),
      "",
      0,
      { decision: "allow", reason: "fine" },
    ],
    ["claude", "PreToolUse", json({ continue: false, stopReason: "S" }), "", 0, deny("S")],
    ["claude", "PreToolUse", specific({ updatedInput: { command: "NEW" } }), "", 0, command("NEW")],
    [
      "claude",
      "PreToolUse",
      specific({ permissionDecision: "ask", updatedInput: { command: "NEW", timeout: 9 } }),
      "",
      0,
      { decision: "ask", modified_input: { command: "NEW", timeout_ms: 9 } },
    ],
    [
      "claude",
      "PreToolUse",
      specific({ updatedInput: { command: "echo hi > marker.txt", description: "write marker" } }),
      "",
      0,
      {},
    ],
    [
      "claude",
      "PreToolUse",
      specific({ updatedInput: { command: "NEW", dangerouslyDisableSandbox: false } }),
      "",
      0,
      { modified_input: { command: "NEW", dangerouslyDisableSandbox: false } },
    ],
    [
      "claude",
      "PreToolUse",
      specific({ updatedInput: { command: 7 } }),
      "",
      0,
      "tool_input of Bash: command is number, not string",
    ],
    ["claude", "PreToolUse", specific({ updatedInput: "NEW" }), "", 0, "an input that is no object"],
    ["claude", "PreToolUse", json({ hookSpecificOutput: DENY }), "", 0, {}],
    ["claude", "PreToolUse", specific(DENY, {}, "Stop"), "", 0, {}],
    ["claude", "PreToolUse", "looks fine", "", 0, {}],
    ["claude", "PreToolUse", `log\n${specific(DENY)}`, "", 0, unread],
    ["claude", "PreToolUse", `${specific(DENY)}\nlog`, "", 0, "is no JSON that Claude Code takes"],
    ["claude", "PreToolUse", "", "boom", 1, "it exited with code 1 (boom)"],
    ["claude", "PreToolUse", '{"hookSpecific', "", 0, "is no JSON that Claude Code takes"],
    ["claude", "PostToolUse", json({ decision: "block", reason: "R" }), "", 0, deny("R")],
    ["claude", "PostToolUse", "", "lint failed", 2, deny("lint failed")],
    [
      "claude",
      "PostToolUse",
      specific({ additionalContext: "C" }, {}, "PostToolUse"),
      "",
      0,
      { additional_context: "C" },
    ],
    [
      "claude",
      "PostToolUse",
      specific({ updatedToolOutput: { stdout: "" } }, {}, "PostToolUse"),
      "",
      0,
      { modified_output: "" },
    ],
    ["claude", "UserPromptSubmit", "remember the tests\n", "", 0, { additional_context: "remember the tests" }],
    ["claude", "UserPromptSubmit", "", "no secrets", 2, deny("no secrets")],
    ["claude", "UserPromptSubmit", json({ continue: false, stopReason: "S" }), "", 0, deny("S")],
    ["claude", "SessionStart", "on branch main", "", 0, { additional_context: "on branch main" }],
    [
      "claude",
      "SessionStart",
      specific({ additionalContext: "C" }, {}, "SessionStart"),
      "",
      0,
      { additional_context: "C" },
    ],
    ["claude", "SessionStart", "", "not set up", 2, { user_message: "not set up" }],
    ["claude", "Stop", json({ decision: "block", reason: "go on" }), "", 0, deny("go on")],
    [
      "claude",
      "Stop",
      json({ continue: false, stopReason: "S", decision: "block", reason: "go on" }),
      "",
      0,
      { user_message: "S" },
    ],
    ["claude", "Stop", specific({ additionalContext: "C" }, {}, "Stop"), "", 0, deny("C")],
    [
      "claude",
      "PermissionRequest",
      specific({ decision: { behavior: "deny", message: "R" } }, {}, "PermissionRequest"),
      "",
      0,
      deny("R"),
    ],
    [
      "claude",
      "PermissionRequest",
      specific({ decision: { behavior: "allow", updatedInput: { command: "NEW" } } }, {}, "PermissionRequest"),
      "",
      0,
      { decision: "allow", ...command("NEW") },
    ],
    ["claude", "PermissionRequest", "", "no", 2, "it exited with code 2 (no)"],

    ["codex", "PreToolUse", "", "R", 2, deny("R")],
    ["codex", "PreToolUse", "", "", 2, "said nothing on stderr"],
    ["codex", "PreToolUse", specific(DENY), "", 0, deny("R")],
    ["codex", "PreToolUse", json({ decision: "block", reason: "R" }), "", 0, deny("R")],
    [
      "codex",
      "PreToolUse",
      specific({ permissionDecision: "allow", updatedInput: { command: "NEW" } }),
      "",
      0,
      command("NEW"),
    ],
    ["codex", "PreToolUse", specific({ permissionDecision: "allow" }), "", 0, 'it says "allow" and changes nothing'],
    ["codex", "PreToolUse", specific({ permissionDecision: "ask" }), "", 0, 'it says "ask"'],
    ["codex", "PreToolUse", specific(DENY, { zz: 1 }), "", 0, "its document does not fit the event (zz"],
    ["codex", "PreToolUse", `log\n${specific(DENY)}`, "", 0, unread],
    [
      "codex",
      "PermissionRequest",
      specific({ decision: { behavior: "allow" } }, {}, "PermissionRequest"),
      "",
      0,
      { decision: "allow" },
    ],
    ["codex", "UserPromptSubmit", "note", "", 0, { additional_context: "note" }],
    ["codex", "SessionStart", json({ continue: false, stopReason: "S" }), "", 0, deny("S")],
    ["codex", "Stop", json({ continue: false, stopReason: "S" }), "", 0, { user_message: "S" }],
    ["codex", "Stop", "", "go on", 2, deny("go on")],
    ["codex", "Stop", "done", "", 0, "it printed plain text"],

    ["cursor", "preToolUse", "{}", "", 0, {}],
    ["cursor", "beforeShellExecution", json({ continue: true, permission: "allow" }), "", 0, { decision: "allow" }],
    ["cursor", "beforeShellExecution", json({ continue: true }), "", 0, {}],
    ["cursor", "beforeSubmitPrompt", json({ continue: true }), "", 0, { decision: "allow" }],
    [
      "cursor",
      "beforeShellExecution",
      json({ permission: "deny", user_message: "U", agent_message: "A" }),
      "",
      0,
      deny("A", { user_message: "U" }),
    ],
    ["cursor", "beforeShellExecution", json({ permission: "deny", user_message: "U" }), "", 0, deny("U")],
    [
      "cursor",
      "beforeShellExecution",
      json({ permission: "ask", user_message: "U", agent_message: "A" }),
      "",
      0,
      { decision: "ask", reason: "A", user_message: "U" },
    ],
    ["cursor", "beforeShellExecution", "", "R", 2, deny("R")],
    ["cursor", "beforeShellExecution", "SO", "SE", 2, deny("SO")],
    ["cursor", "beforeShellExecution", `log\n${json({ permission: "deny", user_message: "U" })}`, "", 0, deny("U")],
    ["cursor", "beforeShellExecution", "no JSON", "", 0, deny("its stdout is no document that Cursor takes")],
    ["cursor", "beforeShellExecution", json({ permission: "deny" }), "", 1, "it exited with code 1"],
    ["cursor", "beforeShellExecution", specific(DENY), "", 0, {}],
    [
      "cursor",
      "beforeReadFile",
      json({ permission: "ask" }),
      "",
      0,
      deny("its stdout is no document that Cursor takes"),
    ],
    ["cursor", "preToolUse", json({ updated_input: { command: "NEW" } }), "", 0, command("NEW")],
    ["cursor", "beforeShellExecution", json({ updated_input: { command: "NEW" } }), "", 0, {}],
    ["cursor", "postToolUse", json({ additional_context: "C" }), "", 0, { additional_context: "C" }],
    ["cursor", "postToolUse", json({ updated_mcp_tool_output: {} }), "", 0, {}],
    ["cursor", "beforeSubmitPrompt", json({ continue: false, user_message: "U" }), "", 0, deny("U")],
    ["cursor", "sessionStart", json({ env: { A: "b", B: 1 } }), "", 0, { session_env: { A: "b" } }],
    ["cursor", "stop", json({ followup_message: "go on" }), "", 0, deny("go on")],
    ["cursor", "stop", json({ decision: "block", reason: "go on" }), "", 0, deny("go on")],
    ["cursor", "stop", "", "", 2, {}],

    [
      "gemini",
      "BeforeTool",
      json({ decision: "deny", reason: "R", systemMessage: "M" }),
      "",
      0,
      deny("R", { user_message: "M" }),
    ],
    ["gemini", "BeforeTool", json({ decision: "block", reason: "R" }), "", 0, deny("R")],
    ["gemini", "BeforeTool", json({ decision: "allow" }), "", 0, {}],
    ["gemini", "BeforeTool", json({ decision: "ask", reason: "R" }), "", 0, { decision: "ask", reason: "R" }],
    ["gemini", "BeforeTool", "", "R", 2, deny("R")],
    ["gemini", "BeforeTool", "", "", 2, "said nothing"],
    ["gemini", "BeforeTool", json({ decision: "allow" }), "R", 2, {}],
    ["gemini", "BeforeTool", "", json({ decision: "deny", reason: "R" }), 0, deny("R")],
    ["gemini", "BeforeTool", json({ continue: false, stopReason: "S" }), "", 0, deny("S")],
    ["gemini", "BeforeTool", json({ hookSpecificOutput: { tool_input: { command: "NEW" } } }), "", 0, command("NEW")],
    ["gemini", "BeforeTool", "fine", "", 0, "is no document, but words for the user"],
    ["gemini", "BeforeTool", "", "boom", 1, "it exited with code 1 (boom)"],
    [
      "gemini",
      "AfterTool",
      json({ hookSpecificOutput: { additionalContext: "C" } }),
      "",
      0,
      { additional_context: "C" },
    ],
    ["gemini", "AfterTool", json({ hookSpecificOutput: { tailToolCallRequest: {} } }), "", 0, '"tailToolCallRequest"'],
    ["gemini", "AfterAgent", json({ decision: "deny", reason: "go on" }), "", 0, deny("go on")],
    ["gemini", "AfterAgent", json({ continue: false, stopReason: "S" }), "", 0, { user_message: "S" }],
    ["gemini", "BeforeTool", specific(DENY), "", 0, {}],

    ["copilot", "preToolUse", json({ permissionDecision: "deny", permissionDecisionReason: "R" }), "", 0, deny("R")],
    ["copilot", "preToolUse", json({ permissionDecision: "allow" }), "", 0, { decision: "allow" }],
    [
      "copilot",
      "preToolUse",
      json({ permissionDecision: "ask", permissionDecisionReason: "R" }),
      "",
      0,
      { decision: "ask", reason: "R" },
    ],
    ["copilot", "preToolUse", json({ modifiedArgs: { command: "NEW" } }), "", 0, command("NEW")],
    ["copilot", "preToolUse", "", "R", 2, deny("R")],
    ["copilot", "preToolUse", "", "boom", 1, deny("it exited with code 1 (boom)")],
    ["copilot", "preToolUse", specific(DENY), "", 0, {}],
    ["copilot", "PreToolUse", specific(DENY), "", 0, deny("R")],
    ["copilot", "PreToolUse", specific({ updatedInput: { command: "NEW" } }), "", 0, command("NEW")],
    ["copilot", "preToolUse", "fine", "", 0, "its stdout is no document"],
    ["copilot", "permissionRequest", json({ behavior: "deny", message: "R" }), "", 0, deny("R")],
    ["copilot", "permissionRequest", json({ behavior: "allow" }), "", 0, { decision: "allow" }],
    ["copilot", "postToolUse", json({ decision: "block", reason: "R" }), "", 0, deny("R")],
    [
      "copilot",
      "postToolUse",
      json({ modifiedResult: { textResultForLlm: "new" } }),
      "",
      0,
      { modified_output: "new" },
    ],
    ["copilot", "postToolUse", json({ modifiedResult: {} }), "", 0, { modified_output: "" }],
    ["copilot", "postToolUse", "", "R", 2, {}],
    ["copilot", "postToolUseFailure", "", "try again", 2, { additional_context: "try again" }],
    ["copilot", "userPromptSubmitted", json({ decision: "block", reason: "R" }), "", 0, deny("R")],
    ["copilot", "agentStop", json({ decision: "block", reason: "go on" }), "", 0, deny("go on")],

    ["opencode", "tool.execute.before", json({ deny: "R" }), "", 0, deny("R")],
    [
      "opencode",
      "tool.execute.before",
      json({ args: { command: "NEW" }, message: "M" }),
      "",
      0,
      { ...command("NEW"), user_message: "M" },
    ],
    ["opencode", "tool.execute.before", "", "R", 2, deny("R")],
    ["opencode", "tool.execute.before", json({ zz: 1 }), "", 0, "its document is none that the plugin knows"],
    ["opencode", "session.idle", json({ go_on: "go on" }), "", 0, deny("go on")],
    ["opencode", "chat.message", json({ context: "C" }), "", 0, { additional_context: "C" }],

    ["openclaw", "before_tool_call", json({ block: true, blockReason: "R" }), "", 0, deny("R")],
    ["openclaw", "before_tool_call", json({ block: "yes" }), "", 0, {}],
    ["openclaw", "before_tool_call", json({ params: { command: "NEW" } }), "", 0, command("NEW")],
    [
      "openclaw",
      "before_tool_call",
      json({ requireApproval: { title: "T", description: "R" } }),
      "",
      0,
      { decision: "ask", reason: "R" },
    ],
    ["openclaw", "before_agent_run", json({ outcome: "block", message: "R" }), "", 0, deny("R")],
    ["openclaw", "before_agent_finalize", json({ action: "revise", reason: "go on" }), "", 0, deny("go on")],
    ["openclaw", "tool_result", json({ append: "C" }), "", 0, { additional_context: "C" }],
  ];
  for (const [id, native_event, stdout, stderr, exit_code, expected] of SEEN) {
    test(`${id} ${native_event} ${exit_code}: ${stdout || stderr || "nothing"}`, () => {
      const samples = recorded.filter((one) => one.host.id === id && one.native_event === native_event);
      const { payload = {} } =
        samples.findLast(({ event }) => isCall(event) && event.tool === "Bash") ?? samples[0] ?? {};
      const understand = () => speechOf(id).understand({ native_event, payload }, { stdout, stderr, exit_code });
      if (typeof expected === "string") expect(understand).toThrow(expected);
      else expect(understand()).toEqual(expected);
    });
  }
  test("every host has some", () => {
    expect(SEEN.length).toBe(129);
    for (const { id } of hosts) expect([id, SEEN.filter(([host]) => host === id).length >= 6]).toEqual([id, true]);
  });
});
