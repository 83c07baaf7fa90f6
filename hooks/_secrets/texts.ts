import { type Events, secrets, type ToolCall } from "bridge-hooks";
import type { SecretsSettings } from "./options.ts";
import type { SecretsRuleId } from "./rules.ts";

export type PendingCall = Events["PreToolUse"] | Events["PermissionRequest"];

export interface StopReason {
  rule: SecretsRuleId;
  /** The file or command, or the kinds of secrets found. */
  finding: string;
}

/** Text that is part of a call. */
export interface CallText {
  text: string;
  /** Where the text was found, worded for use in a message. */
  location: string;
  /** The file that the text is read from or written to. */
  file?: string;
  /** The text being replaced. Secrets already in it aren't new. */
  replacedText?: string;
}

const MAX_VALUES = 10_000;

/** Collects every string in a value, at any depth. */
export function collectStrings(value: unknown): string[] {
  const strings: string[] = [];
  const pending: unknown[] = [value];
  for (let count = 0; pending.length > 0 && count < MAX_VALUES; count++) {
    const pendingValue = pending.pop();
    if (typeof pendingValue === "string") strings.push(pendingValue);
    else if (typeof pendingValue === "object" && pendingValue !== null)
      pending.push(...Object.values(pendingValue).reverse());
  }
  return strings;
}

/** For calls whose tool is a guess, the fields that other checks cover. */
const GUESSED_FIELDS: Partial<Record<ToolCall["tool"], readonly string[]>> = {
  Bash: ["command", "cwd"],
  Write: ["file_path", "content"],
  Read: ["file_path"],
  Edit: ["files"],
  Glob: ["pattern", "path"],
  Grep: ["pattern", "path", "glob"],
};

/**
 * For a call whose tool is a guess, returns a call of an unknown tool with the fields that other checks don't cover.
 */
export function getRemainingCall({ tool, tool_name, input }: ToolCall): ToolCall {
  const values = input as Record<string, unknown>;
  const knownValues = GUESSED_FIELDS[tool]?.map((field) => values[field]) ?? [];
  return {
    tool: "Other",
    tool_name,
    input: Object.fromEntries(Object.entries(input).filter(([, value]) => !knownValues.includes(value))),
  };
}

/** Lists the text that a call contains, writes, sends, or is about to print. */
export function listCallTexts(call: ToolCall): CallText[] {
  return call.guessed ? [...listToolStrings(call), ...listToolStrings(getRemainingCall(call))] : listToolStrings(call);
}

function listToolStrings(call: ToolCall): CallText[] {
  switch (call.tool) {
    case "Bash":
      return [{ text: call.input.command, location: "the command" }];
    case "Write":
      return [{ text: call.input.content, location: call.input.file_path, file: call.input.file_path }];
    case "Edit":
      return call.input.files.map(({ file_path, edits }) => ({
        text: edits.map(({ new_string }) => new_string).join("\n"),
        replacedText: edits.map(({ old_string }) => old_string).join("\n"),
        location: file_path,
        file: file_path,
      }));
    case "Read":
      return call.input.content === undefined
        ? []
        : [{ text: call.input.content, location: call.input.file_path, file: call.input.file_path }];
    default:
      return [{ text: collectStrings(call.input).join("\n"), location: "the call" }];
  }
}

/** Returns the kinds of secrets that are in a text but not in the text it replaces. */
export async function findSecretKinds(text: string, { ignore }: SecretsSettings, replacedText = ""): Promise<string[]> {
  const matches = await secrets(text);
  return matches
    .filter(({ kind, start, end }) => !ignore.includes(kind) && !replacedText.includes(text.slice(start, end)))
    .map(({ kind }) => kind);
}

export const formatKinds = (kinds: readonly string[]): string => [...new Set(kinds)].join(", ");
