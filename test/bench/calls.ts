import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SYSTEM_VARIABLE } from "../../src/system/quick-system.ts";
import { buildOrdinaryLines } from "../score/ordinary/lines.ts";
import { fixtures, getPayload, ROOT } from "../support/fixtures.ts";
import { ORDINARY_LINES } from "../support/ordinary-lines.ts";
import type { ProgramName } from "./programs.ts";

export type GroupName = "calls" | "lines" | "growth";

/**
 * A performance goal: either a ratio to the `node:fs` floor or to the floor with JSON parsing, or milliseconds above
 * the `node:fs` floor.
 */
export type Goal = { ratio: number; floor: "node:fs" | "JSON" } | { beyondMs: number };

export interface SessionCall {
  host: string;
  payload: string;
}

/** A call measured in its own process. */
export interface CallRow {
  id: string;
  group: GroupName;
  title: string;
  program: ProgramName;
  args: readonly string[];
  payload: string;
  /** Contents of the user's config file. If absent, no file is written. */
  config?: object;
  /** Environment variables. */
  env?: Readonly<Record<string, string>>;
  /** Calls to pick from in each round, as they occur in a session. Used instead of the payload. */
  session?: readonly SessionCall[];
  goal?: Goal;
  /** Whether the call must be denied. Any other answer is an error. */
  denied: boolean;
}

export const MEGABYTE = 1024 * 1024;
export const PLAIN_LINE = "npm test";
/** A command that requires the shell parser. */
export const PARSED_LINE = "cd /tmp && git push --force-with-lease && rm -rf ./build";
export const DENIED_LINE = "git push --force origin main";
const CLAUDE = ["--host", "claude"];

const USER_CONFIG = {
  hooks: { "block-destructive": { allow: ["terraform destroy *"] } },
  rules: { "git/push-force": { action: "ask" }, "system/shutdown": { enabled: false } },
};

const createAddedRules = (count: number) => ({
  rules: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `acme/rule-${at}`,
      {
        program: `acme-tool-${at}`,
        pattern: ["prod !--dry-run", "** -e|--everywhere"],
        reason: "it changes production",
      },
    ]),
  ),
});

/** Builds rules, alternating between commands, files, tools and addresses. */
const createRulesOfAllKinds = (count: number) => ({
  rules: Object.fromEntries(
    Object.entries(createAddedRules(count).rules).map(([id, rule], at) => {
      const { reason } = rule;
      const kinds = [
        rule,
        { path: `services/area-${at}/migrations/**`, access: ["edit", "delete"], reason },
        { mcp: `server-${at}`, tool: "delete_*", arguments: { branch: "main|release/*" }, reason },
        { url: `*.corp-${at}.example/**`, method: "DELETE|PUT", reason },
      ];
      return [id, kinds[at % kinds.length]];
    }),
  ),
});

let source: string | undefined;

/** Reads real source code that is the same in every run: the pinned TypeScript compiler and its libraries. */
function readSource(bytes: number): string {
  const files = ["typescript.js", "lib.dom.d.ts", "lib.webworker.d.ts", "typescript.d.ts"];
  source ??= files.map((file) => readFileSync(join(ROOT, "node_modules/typescript/lib", file), "utf8")).join("\n");
  const text = Buffer.from(source.slice(0, bytes))
    .subarray(0, bytes)
    .toString("latin1")
    .replace(/[^\0-\x7f]/g, "?");
  if (text.length < bytes) throw new Error(`only ${text.length} bytes of source code`);
  return text;
}

/** Builds payloads for calls in a project, as hosts send them. */
export function createPayloads(project: string) {
  const build = (host: string, recording: string, change: Record<string, unknown> = {}) =>
    JSON.stringify(getPayload(host, recording, { cwd: project, ...change }));
  const file_path = join(project, "src/app.ts");
  return {
    line: (command: string) => build("claude", "PreToolUse-Bash", { tool_input: { command, description: "a line" } }),
    notification: () => build("claude", "Notification-idle_prompt-2"),
    read: () => build("claude", "PreToolUse-Read", { tool_input: { file_path } }),
    edit: () =>
      build("claude", "PreToolUse-Edit", {
        tool_input: { file_path, old_string: "let count = 1;", new_string: "let count = 2;", replace_all: false },
      }),
    write: (content: string) => build("claude", "PreToolUse-Write", { tool_input: { file_path, content } }),
    /** A file's contents before the agent receives them. Cursor sends this event without `cwd`. */
    content: (content: string) =>
      build("cursor", "beforeReadFile", { file_path, content, workspace_roots: [project], cwd: undefined }),
    /** A file's contents after the agent has read the file. */
    result: (content: string) =>
      build("claude", "PostToolUse-Read", {
        tool_input: { file_path },
        tool_response: {
          type: "text",
          file: { filePath: file_path, content, numLines: 1, startLine: 1, totalLines: 1 },
        },
      }),
  };
}

type Payloads = ReturnType<typeof createPayloads>;

/** Lists the calls that have performance goals. */
function listCalls(payloads: Payloads): CallRow[] {
  const build = (
    id: string,
    title: string,
    payload: string,
    ratio: number | undefined,
    more: Partial<CallRow> = {},
  ) => ({
    id,
    group: "calls" as const,
    title,
    program: "product" as const,
    args: CLAUDE,
    payload,
    ...(ratio !== undefined && {
      goal: { ratio, floor: payload.length > MEGABYTE ? ("JSON" as const) : ("node:fs" as const) },
    }),
    denied: false,
    ...more,
  });
  const { line } = payloads;
  const plain = line(PLAIN_LINE);
  return [
    build("plain", "plain line: npm test", plain, 0.95),
    build("unwanted-event", "an event no hook wants", payloads.notification(), 0.95),
    build("pipeline", 'npm test 2>&1 | tail -20 && echo "done"', line('npm test 2>&1 | tail -20 && echo "done"'), 1),
    build("redirection-null", "npm run lint 2> /dev/null", line("npm run lint 2> /dev/null"), 1),
    build("redirection-file", "npm run lint > lint.log 2>&1", line("npm run lint > lint.log 2>&1"), 1),
    build("read", "Read", payloads.read(), 1.1),
    build("edit", "Edit", payloads.edit(), 1.1),
    build("write", "Write", payloads.write("export const answer = 42;\n"), 1.1),
    build("parsed", "a line that needs the parser", line(PARSED_LINE), 2.6),
    build("session", "session: recorded payloads and ordinary lines", plain, 1.6, {
      session: listSessionCalls(payloads),
    }),
    build("plain-module", "plain line by node:fs, as on macOS", plain, 1.35, { env: { [SYSTEM_VARIABLE]: "module" } }),
    build("denial", "a denial", line(DENIED_LINE), undefined, { denied: true }),
    build("hooks-200", "200 hooks, 2 match", plain, 1.1, { program: "hooks-200" }),
    build("rules-1000", "1,000 added rules", plain, 1.15, { config: createAddedRules(1_000) }),
    build("rules-1000-kinds", "1,000 added rules of all kinds", plain, 1.3, { config: createRulesOfAllKinds(1_000) }),
    build("user-config", "a user config", plain, 1.1, { config: USER_CONFIG }),
    build("no-host", "without --host", plain, 1.3, { args: [] }),
    build("content-10mb", "10 MB file, before the agent reads it", payloads.content(readSource(10 * MEGABYTE)), 1.2, {
      args: ["--host", "cursor"],
    }),
    build("result-10mb", "10 MB file, after it was read", payloads.result(readSource(10 * MEGABYTE)), 1.2),
    build("write-1mb", "1 MB written", payloads.write(readSource(MEGABYTE)), 1.5),
  ];
}

const SESSION_LINES = 2_000;

/** Lists every recorded payload, and ordinary commands from all parts of the corpus. */
function listSessionCalls({ line }: Payloads): SessionCall[] {
  const lines = [...buildOrdinaryLines()].flatMap(([, all]) => all);
  return [
    ...fixtures.map(({ host, text }) => ({ host: host.id, payload: text })),
    ...Array.from({ length: SESSION_LINES }, (_, at) => ({
      host: "claude",
      payload: line(lines[Math.floor((at * lines.length) / SESSION_LINES)] as string),
    })),
  ];
}

/** Commands of 100 kB, and commands nested absurdly deep. */
const HEAVY_LINES: Readonly<Record<string, string>> = {
  "100 kB in quotes": `git commit -m '${"word ".repeat(20_000)}'`,
  "100 kB of words": `rm ${"file ".repeat(20_000)}`,
  "100 kB of commands": "rm x; ".repeat(17_000),
  "20,000 substitutions in each other": `rm ${"$(".repeat(20_000)}`,
  "50,000 parentheses": "(".repeat(50_000),
};
/** The only heavy command that gets parsed. The others exceed the limits and are denied. */
const READABLE_LINE = "100 kB in quotes";

const buildId = (prefix: string, title: string) =>
  `${prefix}-${title
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join("-")}`;

/** Lists long shell commands, which are measured by their time above the floor. */
function listLines({ line }: Payloads): CallRow[] {
  const build = (prefix: string, title: string, command: string, beyondMs: number): CallRow => ({
    id: buildId(prefix, title),
    group: "lines",
    title,
    program: "product",
    args: CLAUDE,
    payload: line(command),
    goal: { beyondMs },
    denied: prefix === "heavy" && title !== READABLE_LINE,
  });
  return [
    ...Object.entries(ORDINARY_LINES).map(([title, { count, line: write }]) => ({
      ...build("line", title, write(count), 25),
      title: `${title} (${count})`,
    })),
    ...Object.entries(HEAVY_LINES).map(([title, command]) => build("heavy", title, command, 50)),
  ];
}

/** Lists calls that show how call time grows with the size of the call and the number of hooks. */
function listGrowth(payloads: Payloads): CallRow[] {
  const build = (id: string, title: string, payload: string, more: Partial<CallRow> = {}): CallRow => ({
    id,
    group: "growth",
    title,
    program: "product",
    args: CLAUDE,
    payload,
    denied: false,
    ...more,
  });
  const sizes = { "1 kB": 1024, "10 kB": 10 * 1024, "100 kB": 100 * 1024, "1 MB": MEGABYTE };
  return [
    ...Object.entries(sizes).map(([size, bytes]) =>
      build(buildId("written", size), `${size} written`, payloads.write(readSource(bytes))),
    ),
    ...Object.entries(sizes).map(([size, bytes]) =>
      build(buildId("content", size), `${size} read`, payloads.content(readSource(bytes)), {
        args: ["--host", "cursor"],
      }),
    ),
    ...[1, 10, 100, 1_000].map((count) =>
      build(
        `growth-hooks-${count}`,
        count === 1 ? "1 hook" : `${count.toLocaleString("en")} hooks, 1 matches`,
        payloads.line(PLAIN_LINE),
        {
          program: `hooks-${count}`,
        },
      ),
    ),
  ];
}

/** Lists every call made in a project. */
export function listCallRows(project: string): CallRow[] {
  const payloads = createPayloads(project);
  return [...listCalls(payloads), ...listLines(payloads), ...listGrowth(payloads)];
}
