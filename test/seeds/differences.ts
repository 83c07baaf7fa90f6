/** Differences that several documents share, each with its source. */
export const CURSOR_ASK =
  "Cursor 2.4.21 and later were seen to run the call without asking, so `ask` becomes a denial with an explanation unless the entry has `--cursor-ask-fallback ask`. Older releases get `ask` [seen @cursor/sdk 1.0.32, 2026-11-22]";
export const CURSOR_CHANGES =
  "On preToolUse, a hook can change a shell command and its directory, the path of a file to read or write, and an MCP tool's arguments. Any other change, and a change on a specific event such as beforeShellExecution, becomes a denial, because Cursor would run the original call [seen @cursor/sdk 1.0.32, 2026-11-22]";
export const CURSOR_COMMANDS =
  "A hook's `Bash(curl *)|Bash(wget *)` is compared with each simple command in the line, so it doesn't match `echo curl`. The entry has no matcher [docs docs/guide/matchers.md]";
export const CURSOR_CONTEXT =
  "sessionStart, preToolUse, postToolUse and postToolUseFailure accept `additional_context`, but version 1.0.0 of Cursor's SDK ignores the field on sessionStart, which causes a warning. On beforeSubmitPrompt, context is sent with a warning that the model was not seen to receive it [seen @cursor/sdk 1.0.32, 2026-11-22]";
export const CURSOR_CONTINUE =
  "The SDK waits for `sessionStart` and reads `continue: false` there and on `beforeSubmitPrompt`, so denials are sent on both events. Before a call, Cursor ignores the field [seen @cursor/sdk 1.0.32, 2026-11-22]";
export const CURSOR_EXIT_CODE =
  "A denial is a JSON document with exit code 0, which also blocks. With exit code 2, Cursor shows all of stdout, or else stderr, as the only text [seen @cursor/sdk 1.0.32, 2026-11-28]. `--cursor-deny exit` sends 2";
export const CURSOR_FAILURE =
  "Before a call, exit code 2 and invalid JSON block. After a crash, a timeout, another exit code or a missing executable, Cursor blocks if the entry has `failClosed`, which `install` sets [seen @cursor/sdk 1.0.32, 2026-11-21]";
export const CURSOR_PATHS =
  "Entries contain the executable's full path or, with `--bin`, its name on PATH, so the working directory does not matter. `mdm` sets the path with `--bin-path` [docs docs/operate/install.md]";
export const CURSOR_REASON =
  "The reason is also sent as `user_message` unless the hook sets its own, because the model reads only the `user_message` when one of Cursor's own tools is denied [seen @cursor/sdk 1.0.32, 2026-11-22]. On beforeSubmitPrompt, a denial's reason becomes the `user_message`";
export const CURSOR_STOP =
  "`stop` is the end of a turn, where a denial makes the agent continue, with the reason as `followup_message`. A session's end is `sessionEnd` [seen @cursor/sdk 1.0.32, 2026-11-21]";
export const OPENCLAW_EVENTS =
  "`session_start`, `session_end` and the agent's own stop, `before_agent_finalize`, map to the unified events. `command:new`, `command:reset` and `command:stop` are a user's commands and arrive as `Native` [seen 2026.9.6, 2026-11-22]";
export const OPENCLAW_MORE_EVENTS =
  "OpenClaw has more events of both kinds, including `message:sent` and `message:received`. Events without a unified form arrive as `Native` [shipped 2026.9.6]";
export const OPENCLAW_PLACES =
  "`openclaw.json` lists the plugin under `plugins.entries`, and OpenClaw finds plugins in `~/.openclaw/extensions/`. `install` doesn't write plugins to workspaces, because OpenClaw loads workspace plugins only if the user's config allows them [seen 2026.9.6, 2026-11-22]";
export const OPENCLAW_PLUGIN =
  "`install` writes one plugin, which registers hooks with `api.registerHook` in its code and gets events from both systems. A HOOK.md hook can't block anything [seen 2026.9.6, 2026-11-22]";
export const OPENCODE_CALL =
  "The handler gets `input.tool` and `output.args`, and changes the arguments in place. A hook gets `event.tool` and `event.input`, and returns `modified_input`, as on every host [seen 1.18.33, 2026-11-22]";
export const OPENCODE_CONTEXT =
  "The plugin adds `additional_context` as another part of the system prompt or appends it to the call's result. Existing parts can't be changed [seen 1.18.33, 2026-11-28]";
export const OPENCODE_DENIAL =
  "OpenCode ignores `output.abort`. The handler must throw, and the model reads the error message. With `--on-error deny`, the plugin also throws if the process is missing, crashes or sends an invalid answer [seen 1.18.33, 2026-11-22]";
export const OPENCODE_PLUGIN =
  "A plugin is an exported function that returns the handlers. The types are in the package `@opencode-ai/plugin`, which the JavaScript plugin of bridge-hooks doesn't need [seen 1.18.33, 2026-11-22]";
export const PLUGIN_PROCESS =
  "Only the plugin runs in the host's process. The plugin sends all calls to one separate process of the executable, so a hook that hangs or crashes doesn't stop the host [seen 1.18.33 and 2026.9.6, 2026-11-22]";
