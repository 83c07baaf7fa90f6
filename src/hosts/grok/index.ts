import { defineReader } from "../../protocol/host/host.ts";
import { grok as entry } from "../entries.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./call/decode.ts";
import { encode } from "./call/encode.ts";
import { eventOf } from "./call/wire.ts";

export const grok = defineReader({
  ...entry,
  capabilities,
  createUnknownEventRow: unknown,
  absentEvents: ["PermissionRequest"],
  getEventName: eventOf,
  decodePayload: decode,
  rewriteInput: () => ({
    unsupported: "Grok Build is not known to take another input from a hook; deny instead, and say what to do",
  }),
  encodeAnswer: encode,
  neutralOutput: "",
  listRoots: ({ workspaceRoot, cwd }) => [workspaceRoot, cwd].filter((root) => typeof root === "string").slice(0, 1),
  listTraceFolders: ({ home }) => [`${home}/.grok`],
  importedHosts: ["claude", "cursor"],
  // The project's where the folder is trusted [docs https://docs.x.ai/build/features/hooks; the local file unverified].
  listImportedFiles: ({ home, roots }) =>
    [home, ...roots].flatMap((root) => [
      `${root}/.claude/settings.json`,
      `${root}/.claude/settings.local.json`,
      `${root}/.cursor/hooks.json`,
    ]),
  caveat:
    "its calls are answered in its own format, PreToolUse alone blocks there, and where the executable can't run they pass (from its documentation, not run)",
});
