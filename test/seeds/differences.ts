/** Differences and gaps that several statements share, with the source of each difference. */
export const CURSOR_ASK =
  "Cursor 2.4.21 and later run the call without asking, so `ask` becomes a denial unless the entry has `--cursor-ask-fallback ask`. Older releases get `ask` [seen @cursor/sdk 1.0.32, 2026-11-22]";
export const CURSOR_CHANGES =
  "On preToolUse, a hook can change a shell command and its directory, a file's path, and an MCP tool's arguments. Any other rewrite becomes a denial, because Cursor would run the original call [seen @cursor/sdk 1.0.32, 2026-11-22]";
export const CURSOR_MATCHERS =
  "The entry has no matcher. In the hook, `Bash(curl *)` is compared with each simple command, so it doesn't match `echo curl`, and `event.agent_type` is the subagent's type [docs docs/guide/matchers.md]";
export const CURSOR_CONTEXT =
  "sessionStart, preToolUse, postToolUse and postToolUseFailure accept `additional_context`. A warning appears on sessionStart with version 1.0.0 of the SDK, which ignores the field, and on beforeSubmitPrompt, where the model didn't receive it in test runs [seen @cursor/sdk 1.0.32, 2026-11-22]";
export const CURSOR_CONTINUE =
  "The SDK waits for `sessionStart` and reads `continue: false` there and on `beforeSubmitPrompt`, so denials are sent on both events, but not before a call [seen @cursor/sdk 1.0.32, 2026-11-22]";
export const CURSOR_EXIT_CODE =
  "A denial is JSON with exit code 0, which also blocks, because with exit code 2 Cursor shows only one text [seen @cursor/sdk 1.0.32, 2026-11-28]. `--cursor-deny exit` sends 2";
export const CURSOR_FAILURE =
  "Before a call, exit code 2 and invalid JSON block the call. Any other failure blocks if the entry has `failClosed`, which `install` sets [seen @cursor/sdk 1.0.32, 2026-11-21]";
export const CURSOR_PATHS =
  "Entries contain the executable's full path or, with `--bin`, its name on PATH. `mdm --bin-path` sets the path [docs docs/operate/install.md]";
export const CURSOR_REASON =
  "The reason is also the `user_message` unless the hook sets one, because for Cursor's own tools the model reads only the `user_message` [seen @cursor/sdk 1.0.32, 2026-11-22]";
export const CURSOR_STOP =
  "`stop` ends a turn, and a denial makes the agent continue. `sessionEnd` ends a session [seen @cursor/sdk 1.0.32, 2026-11-21]";
export const OPENCLAW_EVENTS =
  "Release 2026.9.6 maps `session_start`, `session_end`, `before_agent_finalize` (the agent's stop) and `before_agent_run` (a prompt, which it can block) to the unified events. Other events, such as `message:sent`, `agent_end` and a user's `command:stop`, arrive as `Native`, and `before_agent_start` was removed [shipped 2026.9.6]";
export const OPENCLAW_PLACES =
  "`openclaw.json` lists the plugin under `plugins.entries`, and the plugin is in `~/.openclaw/extensions/`, because OpenClaw loads plugins in workspaces only if the user's config allows them [seen 2026.9.6, 2026-11-22]";
export const OPENCLAW_PLUGIN =
  "`install` writes a plugin, which gets the events of both systems, because a HOOK.md hook can't block anything [seen 2026.9.6, 2026-11-22]";
export const OPENCODE_CALL =
  "The handler gets `input.tool`, and changes `output.args` in place. A hook returns `modified_input`, as on every host [seen 1.18.33, 2026-11-22]";
export const OPENCODE_CONTEXT =
  "`additional_context` becomes another part of the system prompt or the end of the call's result. Existing parts can't be changed [seen 1.18.33, 2026-11-28]";
export const OPENCODE_DENIAL =
  "OpenCode ignores `output.abort`. The handler must throw, and the model reads the error message [seen 1.18.33, 2026-11-22]";
export const OPENCODE_PLUGIN =
  "A plugin is an exported function that returns the handlers. The types are in the package `@opencode-ai/plugin` [seen 1.18.33, 2026-11-22]";
export const PLUGIN_PROCESS =
  "The plugin sends all calls to a separate process, so a hook that hangs or crashes doesn't stop the host [seen 1.18.33 and 2026.9.6, 2026-11-22]";
export const OPENCODE_EVENTS =
  "A permission request is `permission.asked` (`Notification`), and a prompt is `chat.message`, which can be blocked. `lsp.client.diagnostics` never fires. From `message.part.updated`, only failed calls are passed on, as `PostToolUseFailure` [seen 1.18.33, 2026-11-22]";
export const UNCHANGEABLE =
  "An answer can't change messages, bootstrap files or the model. Add context on SessionStart, UserPromptSubmit or PreToolUse, and set the model in the host's config";
