import type { Payload } from "../../protocol/host/host.ts";
import { objectOf } from "../check.ts";
import chatMessage from "./fixtures/opencode-1.18.33/chat.message.json" with { type: "json" };
import commandExecuteBefore from "./fixtures/opencode-1.18.33/command.execute.before.json" with { type: "json" };
import dispose from "./fixtures/opencode-1.18.33/dispose.json" with { type: "json" };
import compacting from "./fixtures/opencode-1.18.33/experimental.session.compacting.json" with { type: "json" };
import messagePartUpdated from "./fixtures/opencode-1.18.33/message.part.updated.read.json" with { type: "json" };
import permissionAsked from "./fixtures/opencode-1.18.33/permission.asked.json" with { type: "json" };
import sessionCompacted from "./fixtures/opencode-1.18.33/session.compacted.json" with { type: "json" };
import sessionCreated from "./fixtures/opencode-1.18.33/session.created.json" with { type: "json" };
import sessionDeleted from "./fixtures/opencode-1.18.33/session.deleted.json" with { type: "json" };
import sessionError from "./fixtures/opencode-1.18.33/session.error.json" with { type: "json" };
import sessionIdle from "./fixtures/opencode-1.18.33/session.idle.json" with { type: "json" };
import toolExecuteAfter from "./fixtures/opencode-1.18.33/tool.execute.after.bash.json" with { type: "json" };
import toolExecuteBefore from "./fixtures/opencode-1.18.33/tool.execute.before.bash.json" with { type: "json" };
import catalogUpdated from "./fixtures/opencode-1.18.33/catalog.updated.json" with { type: "json" };
import chatHeaders from "./fixtures/opencode-1.18.33/chat.headers.json" with { type: "json" };
import chatParams from "./fixtures/opencode-1.18.33/chat.params.json" with { type: "json" };
import commandExecuted from "./fixtures/opencode-1.18.33/command.executed.json" with { type: "json" };
import experimentalChatSystemTransform from "./fixtures/opencode-1.18.33/experimental.chat.system.transform.json" with { type: "json" };
import experimentalTextComplete from "./fixtures/opencode-1.18.33/experimental.text.complete.json" with { type: "json" };
import fileEdited from "./fixtures/opencode-1.18.33/file.edited.json" with { type: "json" };
import fileWatcherUpdated from "./fixtures/opencode-1.18.33/file.watcher.updated.json" with { type: "json" };
import integrationUpdated from "./fixtures/opencode-1.18.33/integration.updated.json" with { type: "json" };
import pluginAdded from "./fixtures/opencode-1.18.33/plugin.added.json" with { type: "json" };
import referenceUpdated from "./fixtures/opencode-1.18.33/reference.updated.json" with { type: "json" };
import sessionDiff from "./fixtures/opencode-1.18.33/session.diff.json" with { type: "json" };
import sessionStatus from "./fixtures/opencode-1.18.33/session.status.json" with { type: "json" };
import sessionUpdated from "./fixtures/opencode-1.18.33/session.updated.json" with { type: "json" };
import shellEnv from "./fixtures/opencode-1.18.33/shell.env.json" with { type: "json" };

export const RECORDED: Readonly<Record<string, Payload>> = {
  "chat.message": chatMessage,
  "command.execute.before": commandExecuteBefore,
  dispose,
  "experimental.session.compacting": compacting,
  "message.part.updated": messagePartUpdated,
  "permission.asked": permissionAsked,
  "session.compacted": sessionCompacted,
  "session.created": sessionCreated,
  "session.deleted": sessionDeleted,
  "session.error": sessionError,
  "session.idle": sessionIdle,
  "tool.execute.after": toolExecuteAfter,
  "tool.execute.before": toolExecuteBefore,
  "catalog.updated": catalogUpdated,
  "chat.headers": chatHeaders,
  "chat.params": chatParams,
  "command.executed": commandExecuted,
  "experimental.chat.system.transform": experimentalChatSystemTransform,
  "experimental.text.complete": experimentalTextComplete,
  "file.edited": fileEdited,
  "file.watcher.updated": fileWatcherUpdated,
  "integration.updated": integrationUpdated,
  "plugin.added": pluginAdded,
  "reference.updated": referenceUpdated,
  "session.diff": sessionDiff,
  "session.status": sessionStatus,
  "session.updated": sessionUpdated,
  "shell.env": shellEnv,
};

/** The payload that was recorded for an event, about the subject: a shell command, or what the user typed. */
export function sample(native_event: string, subject?: string): Payload | undefined {
  if (!Object.hasOwn(RECORDED, native_event)) return undefined;
  const recorded = RECORDED[native_event] as Payload;
  const { input, output } = { input: objectOf(recorded.input), output: objectOf(recorded.output) };
  const command = (args: unknown) => ({ ...objectOf(args), command: subject ?? "true" });
  switch (native_event) {
    case "tool.execute.before":
      return { ...recorded, output: { ...output, args: command(output.args) } };
    case "tool.execute.after":
      return { ...recorded, input: { ...input, args: command(input.args) } };
    case "chat.message": {
      const parts = (output.parts as Payload[]).map((part) => ({
        ...part,
        ...(subject !== undefined && { text: subject }),
      }));
      return { ...recorded, output: { ...output, parts } };
    }
    default:
      return recorded;
  }
}
