/** What happens to a call that a hook denies: it's denied, it's allowed, or the host doesn't start. */
type Outcome = "denied" | "passes" | "no start";

interface EntrySetup {
  host: string;
  name: string;
  /** The project's config file, with its contents in `text`. `{ours}` stands for the executable's path. */
  file: string;
  text: string;
  /** Whether `install --scope project` is run afterwards. */
  installed?: true;
  outcome: Outcome;
}

const CLAUDE = { host: "claude", file: ".claude/settings.json" } as const;
const GEMINI = { host: "gemini", file: ".gemini/settings.json" } as const;
const COPILOT = { host: "copilot", file: ".github/hooks/bridge-hooks.json" } as const;
const CODEX = { host: "codex", file: ".codex/hooks.json" } as const;
const CODEX_CONFIG = { host: "codex", file: ".codex/config.toml" } as const;

const DROID = { host: "droid", file: ".factory/hooks.json" } as const;
const DROID_SETTINGS = { host: "droid", file: ".factory/settings.json" } as const;
const QWEN = { host: "qwen", file: ".qwen/settings.json" } as const;
const CLINE = { host: "cline", file: ".clinerules/hooks/PreToolUse" } as const;
const CLINE_OWN = { ...CLINE, file: ".clinerules/hooks/PreToolUse.sh" } as const;
const GROK = { host: "grok", file: ".grok/hooks/bridge-hooks.json" } as const;

const FOREIGN_HANDLER = { type: "command", command: "true" };
const build = (event: string, ...elements: unknown[]) => JSON.stringify({ hooks: { [event]: elements } });
const group = (command: string, more: object = {}) => ({ ...more, hooks: [{ type: "command", command }] });
/** Builds a file with its events at the top level. */
const buildBare = (event: string, ...elements: unknown[]) => JSON.stringify({ [event]: elements });
const TABLES = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n';

/** What real hosts do with various entries and slightly invalid configs. doctor must agree. */
export const ENTRY_SETUPS: readonly EntrySetup[] = [
  {
    ...CLAUDE,
    name: "a manually written entry",
    text: build("PreToolUse", group("{ours} --host claude")),
    outcome: "denied",
  },
  {
    ...CLAUDE,
    name: "a manually written entry inside timeout and sh -c",
    text: build("PreToolUse", group("timeout 20 sh -c '{ours} --host claude' 2>/dev/null", { matcher: "" })),
    outcome: "denied",
  },
  {
    ...CLAUDE,
    name: "a manually written entry whose exit code is lost",
    text: build("PreToolUse", group("{ours} --host claude || true")),
    outcome: "denied",
  },
  {
    ...CLAUDE,
    name: "a manually written entry whose answer is lost",
    text: build("PreToolUse", group("{ours} --host claude > /dev/null || true")),
    outcome: "passes",
  },
  {
    ...CLAUDE,
    name: "a group with an invalid matcher next to ours",
    text: build("PreToolUse", group("true", { matcher: "(" })),
    installed: true,
    outcome: "denied",
  },
  {
    ...CLAUDE,
    name: "an event that is not a list, and an unknown event, next to ours",
    text: `{"hooks":{"Stop":{},"Foo":[3],${build("PreToolUse", group("{ours} --host claude")).slice('{"hooks":{'.length)}`,
    outcome: "denied",
  },
  {
    ...CLAUDE,
    name: "a flat entry next to ours",
    text: build("PreToolUse", FOREIGN_HANDLER, group("{ours} --host claude")),
    outcome: "passes",
  },
  {
    ...GEMINI,
    name: "switches inside hooks",
    text: '{"hooks":{"enabled":true,"disabled":["x"],"notifications":false}}',
    installed: true,
    outcome: "denied",
  },
  {
    ...GEMINI,
    name: "a flat entry and a capitalized type",
    text: build("BeforeTool", FOREIGN_HANDLER, { hooks: [{ type: "Command", command: "true" }] }),
    installed: true,
    outcome: "denied",
  },
  {
    ...GEMINI,
    name: "a manually written entry next to an entry of an unknown type",
    text: build("BeforeTool", {
      hooks: [
        { type: "Command", command: "true" },
        { type: "command", command: "{ours} --host gemini" },
      ],
    }),
    outcome: "denied",
  },
  {
    ...GEMINI,
    name: "a matcher that is not a string",
    text: build("BeforeTool", group("true", { matcher: 3 })),
    installed: true,
    outcome: "passes",
  },
  {
    ...QWEN,
    name: "a comment, a byte order mark, an unknown event, and a manually written entry next to an entry of an unknown type",
    text: `\ufeff{ // c\n"hooks":{"Foo":[3],"Stop":{},${build("PreToolUse", null, { hooks: [{ type: "Command", command: "true" }, null, { type: "command", command: "{ours} --host qwen" }] }).slice('{"hooks":{'.length)}`,
    outcome: "denied",
  },
  {
    ...QWEN,
    name: "an invalid pattern next to ours",
    text: build("PreToolUse", group("true", { matcher: "(" })),
    installed: true,
    outcome: "denied",
  },
  {
    ...QWEN,
    name: "a matcher that is not a string",
    text: build("PreToolUse", group("true", { matcher: 3 })),
    installed: true,
    outcome: "passes",
  },
  {
    ...QWEN,
    name: "a trailing comma",
    text: `${build("PreToolUse", group("{ours} --host qwen")).slice(0, -1)},}`,
    outcome: "passes",
  },
  {
    ...QWEN,
    name: "a manually written entry whose exit code is lost",
    text: build("PreToolUse", group("{ours} --host qwen || true")),
    outcome: "denied",
  },
  {
    ...QWEN,
    name: "a manually written entry whose answer on stderr is lost",
    text: build("PreToolUse", group("{ours} --host qwen 2>/dev/null")),
    outcome: "denied",
  },
  {
    ...COPILOT,
    name: "a manually written entry next to an entry with an invalid matcher",
    text: `{"version":1,${build("preToolUse", { ...FOREIGN_HANDLER, matcher: "(" }, { type: "command", command: "{ours} --host copilot" }).slice(1)}`,
    outcome: "denied",
  },
  {
    ...CODEX,
    name: "a manually written entry",
    text: build("PreToolUse", group("{ours} --host codex")),
    outcome: "denied",
  },
  {
    ...CODEX,
    name: "a group with look-around next to ours",
    text: build("PreToolUse", group("true", { matcher: "(?=x)" })),
    installed: true,
    outcome: "denied",
  },
  {
    ...CODEX_CONFIG,
    name: "a byte order mark, a large integer, dates and hooks",
    text: `\ufefflimit = 9223372036854775807\nsince = 2026-01-02\nat = 07:32:00\n${TABLES}`,
    installed: true,
    outcome: "denied",
  },
  {
    ...CODEX_CONFIG,
    name: "inline hooks",
    text: 'hooks = { Stop = [ { hooks = [ { type = "command", command = "true" } ] } ] }\n',
    installed: true,
    outcome: "denied",
  },
  {
    ...CODEX_CONFIG,
    name: "an event that is a table",
    text: '[hooks.PreToolUse]\nmatcher = "x"\n',
    installed: true,
    outcome: "no start",
  },
  {
    ...DROID,
    name: "a manually written entry",
    text: buildBare("PreToolUse", group("{ours} --host droid")),
    outcome: "denied",
  },
  {
    ...DROID,
    name: "a comment above a manually written entry",
    text: `// ours\n${buildBare("PreToolUse", group("{ours} --host droid"))}`,
    outcome: "denied",
  },
  {
    ...DROID,
    name: "a byte order mark",
    text: `\ufeff${buildBare("PreToolUse", group("{ours} --host droid"))}`,
    outcome: "passes",
  },
  {
    ...DROID,
    name: "a trailing comma",
    text: buildBare("PreToolUse", group("{ours} --host droid")).replace(/}$/, ",}"),
    outcome: "passes",
  },
  {
    ...DROID,
    name: "a wrapper around a manually written entry",
    text: build("PreToolUse", group("{ours} --host droid")),
    outcome: "passes",
  },
  {
    ...DROID,
    name: "a timeout in quotes on another event",
    text: JSON.stringify({
      PreToolUse: [group("{ours} --host droid")],
      Stop: [{ hooks: [{ ...FOREIGN_HANDLER, timeout: "5" }] }],
    }),
    outcome: "passes",
  },
  {
    ...DROID,
    name: "a null timeout on another event",
    text: JSON.stringify({
      PreToolUse: [group("{ours} --host droid")],
      Stop: [{ hooks: [{ ...FOREIGN_HANDLER, timeout: null }] }],
    }),
    outcome: "passes",
  },
  {
    ...DROID,
    name: "a handler of another type",
    text: JSON.stringify({
      PreToolUse: [group("{ours} --host droid")],
      Stop: [{ hooks: [{ type: "prompt", prompt: "x" }] }],
    }),
    outcome: "passes",
  },
  {
    ...DROID,
    name: "another tool's hooks, with an unknown event and an invalid matcher, and ours",
    text: `{ "Later": [3], // theirs\n  "PreToolUse": [${JSON.stringify(group("true", { matcher: "(" }))}] }\n`,
    installed: true,
    outcome: "denied",
  },
  {
    ...DROID_SETTINGS,
    name: "another tool's hooks and a comment, next to ours",
    text: `// theirs\n${build("PreToolUse", group("true"))}`,
    installed: true,
    outcome: "denied",
  },
  {
    ...DROID_SETTINGS,
    name: "hooks that are not an object",
    text: '{"hooks":[]}',
    installed: true,
    outcome: "denied",
  },
  {
    ...GROK,
    name: "a manually written entry",
    text: build("PreToolUse", group("{ours} --host grok")),
    outcome: "denied",
  },
  {
    ...GROK,
    name: "a manually written entry under the host's own event name",
    text: build("pre_tool_use", group("{ours} --host grok")),
    outcome: "denied",
  },
  {
    ...GROK,
    name: "a comment above a manually written entry",
    text: `// ours\n${build("PreToolUse", group("{ours} --host grok"))}`,
    outcome: "passes",
  },
  {
    ...GROK,
    name: "a byte order mark",
    text: `\ufeff${build("PreToolUse", group("{ours} --host grok"))}`,
    outcome: "passes",
  },
  {
    ...GROK,
    name: "a timeout in quotes on another event",
    text: JSON.stringify({
      hooks: {
        PreToolUse: [group("{ours} --host grok")],
        Stop: [{ hooks: [{ ...FOREIGN_HANDLER, timeout: "5" }] }],
      },
    }),
    outcome: "passes",
  },
  {
    ...GROK,
    name: "a group without hooks next to ours",
    text: build("PreToolUse", { matcher: "x" }, group("{ours} --host grok")),
    outcome: "passes",
  },
  {
    ...GROK,
    name: "another tool's hooks, with an unknown event and look-around, and ours",
    text: `{ "hooks": {"Later":[3], "PreToolUse":[${JSON.stringify(group("true", { matcher: "(?=x)" }))}]},\n  "version": 1 }\n`,
    installed: true,
    outcome: "denied",
  },
  {
    ...GROK,
    file: ".grok/hooks/another.json",
    name: "another tool's entry, and ours in a separate file",
    text: build("PreToolUse", group("true", { timeout: null })),
    installed: true,
    outcome: "denied",
  },
  {
    ...CLINE,
    name: "a manually written script without a shebang that is not executable",
    text: "exec {ours} --host cline\n",
    outcome: "denied",
  },
  {
    ...CLINE,
    file: ".cline/hooks/pretooluse.bash",
    name: "a manually written script in lowercase in the other directory",
    text: "#!/usr/bin/env bash\nexec {ours} --host cline\n",
    outcome: "denied",
  },
  {
    ...CLINE,
    name: "a manually written script with CRLF line endings",
    text: "#!/bin/sh\r\nexec {ours} --host cline\r\n",
    outcome: "passes",
  },
  {
    ...CLINE,
    name: "another tool's script that returns an input, next to ours",
    text: `#!/bin/sh\necho '{"overrideInput":{"commands":["echo original > marker.txt"]}}'\n`,
    installed: true,
    outcome: "denied",
  },
  {
    ...CLINE_OWN,
    name: "another tool's script under our script's name",
    text: "#!/bin/sh\nexec cat > /dev/null\n",
    installed: true,
    outcome: "passes",
  },
];

/** The doctor checks that report a denial as not enforced due to a config or an entry. */
export const ENTRY_CHECKS: readonly string[] = [
  "config-flaw",
  "config-unreadable",
  "not-installed",
  "drift",
  "program-not-run",
  "deny-probe",
  "hooks-wrapped",
  "events-replaced",
];
