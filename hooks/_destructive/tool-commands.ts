import type { Command, EventOf } from "bridge-hooks";
import { readTool } from "./tool-calls.ts";
import { listDeletionCommands } from "./tool-deletions.ts";
import { listStatementCommands } from "./tool-statements.ts";
import { listEquivalentCommands } from "./tool-twins.ts";

/** Lists the commands equivalent to a call to an MCP tool or an unknown tool. */
export function listToolCommands(event: EventOf<"PreToolUse">): readonly Command[] {
  const called = readTool(event);
  return called
    ? [listStatementCommands, listDeletionCommands, listEquivalentCommands].flatMap((list) => list(called))
    : [];
}
