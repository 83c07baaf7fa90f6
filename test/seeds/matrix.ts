import type { SeedDocument } from "./claim.ts";

const cursorShell = {
  hook_event_name: "beforeShellExecution",
  cursor_version: "3.2.16",
  conversation_id: "c",
  generation_id: "g",
  command: "ls",
  cwd: "/w",
};

/** The contract. */
export const matrix: SeedDocument = {
  title: "Capability matrix",
  about: "The contract: unified events, response fields, exit codes and host resolution for Claude Code, Cursor and Codex.",
  sections: [
    {
      title: "Events",
      claims: [
        {
          says: "Cursor's `beforeShellExecution` arrives as `PreToolUse` with tool `Bash`",
          cases: [{ host: "cursor", stdin: cursorShell, sees: { event: "PreToolUse", tool: "Bash", input: { command: "ls" } } }],
        },
      ],
    },
  ],
};
