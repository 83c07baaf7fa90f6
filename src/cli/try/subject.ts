import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";

/** Summarizes what an event is about. */
export function describeSubject(event: AnyEvent): string {
  if (isToolCallEvent(event)) return describeCall(event);
  switch (event.event) {
    case "UserPromptSubmit":
      return event.prompt;
    case "Notification":
      return event.message;
    case "SessionStart":
      return event.source ?? "";
    case "SessionEnd":
      return event.reason ?? "";
    case "PreCompact":
    case "PostCompact":
      return event.trigger ?? "";
    case "SubagentStart":
      return event.task ?? event.agent_type ?? "";
    case "Stop":
    case "SubagentStop":
      return event.last_message ?? "";
    case "Native":
      return event.native_event;
  }
}

function describeCall(call: Extract<AnyEvent, { tool: unknown }>): string {
  switch (call.tool) {
    case "Bash":
      return call.input.command;
    case "Read":
    case "Write":
      return call.input.file_path;
    case "Edit":
      return call.input.files
        .map(({ file_path, moved_to }) => [file_path, ...(moved_to ? [moved_to] : [])].join(" to "))
        .join(", ");
    case "Glob":
    case "Grep":
      return [call.input.pattern, call.input.path].filter(Boolean).join(" in ");
    case "WebFetch":
      return call.input.url;
    case "WebSearch":
      return call.input.query;
    case "Task":
      return call.input.prompt;
    case "MCP":
      return `${[call.input.server, call.input.tool].filter(Boolean).join(" ")} ${JSON.stringify(call.input.arguments)}`;
    case "Other":
      return `${call.tool_name} ${JSON.stringify(call.input)}`;
  }
}

/** Formats an event and its tool for tables. */
export const formatKind = (event: AnyEvent): string =>
  isToolCallEvent(event) ? `${event.event} ${event.tool}` : event.event;
