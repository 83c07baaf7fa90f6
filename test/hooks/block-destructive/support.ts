import hook from "../../../hooks/block-destructive.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { askHook } from "../../support/ask-hook.ts";

export const HOME = "/home/me";
export const CWD = "/home/me/code/shop";
/** HOME is read only once: with concurrent calls, each could otherwise restore a value that another had set. */
export const homeBefore = process.env.HOME;

/** Returns the hook's response to a command, with the given options as if they came from a config file. */
export async function askLine(
  command: string,
  options: object = {},
  cwd = CWD,
  shell?: string,
): Promise<IHookResponse | undefined> {
  process.env.HOME = HOME;
  try {
    return await askHook(
      hook,
      { event: "PreToolUse", tool: "Bash", tool_name: "Bash", cwd, input: { command, ...(shell && { shell }) } },
      options,
    );
  } finally {
    process.env.HOME = homeBefore;
  }
}

export interface LineCases {
  denied: readonly string[];
  allowed: readonly string[];
}
