import type { Command, EventOf } from "bridge-hooks";
import { readTool } from "./tool-calls.ts";
import { listDeletionCommands } from "./tool-deletions.ts";
import { listStatementCommands } from "./tool-statements.ts";
import { listTwins } from "./tool-twins.ts";

/** The commands that do what the call of an MCP server's tool, or of one that is unknown, does. */
export function listToolCommands(event: EventOf<"PreToolUse">): readonly Command[] {
  const called = readTool(event);
  return called ? [listStatementCommands, listDeletionCommands, listTwins].flatMap((list) => list(called)) : [];
}
