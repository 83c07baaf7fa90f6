import { type Events, secrets, type ToolCall } from "bridge-hooks";
import type { SecretsSettings } from "./options.ts";
import type { SecretsRuleId } from "./rules.ts";

export type PendingCall = Events["PreToolUse"] | Events["PermissionRequest"];

/** A reason to stop a call. */
export interface StopReason {
  rule: SecretsRuleId;
  /** The file, the command or the kinds of secrets that were found. */
  what: string;
}

/** A text that a call holds. */
export interface CallText {
  text: string;
  /** Where it stands, as a message shows it. */
  where: string;
  /** The file it is read from or written to. */
  file?: string;
  /** What stood there before: a secret in it is not new. */
  before?: string;
}

const MAX_VALUES = 10_000;

/** Every text in a value, at any depth. */
export function collectTexts(value: unknown): string[] {
  const found: string[] = [];
  const left: unknown[] = [value];
  for (let count = 0; left.length > 0 && count < MAX_VALUES; count++) {
    const next = left.pop();
    if (typeof next === "string") found.push(next);
    else if (typeof next === "object" && next !== null) left.push(...Object.values(next).reverse());
  }
  return found;
}

/** The fields of guessed calls that hooks look at anyway. */
const GUESSED_FIELDS: Partial<Record<ToolCall["tool"], readonly string[]>> = {
  Bash: ["command", "cwd"],
  Write: ["file_path", "content"],
  Read: ["file_path"],
  Edit: ["files"],
  Glob: ["pattern", "path"],
  Grep: ["pattern", "path", "glob"],
};

/** What a guessed call has beside its line and folder, or its file and text, as a call of a tool that isn't known. */
export function getRemainingCall({ tool, tool_name, input }: ToolCall): ToolCall {
  const values = input as Record<string, unknown>;
  const knownValues = GUESSED_FIELDS[tool]?.map((field) => values[field]) ?? [];
  return {
    tool: "Other",
    tool_name,
    input: Object.fromEntries(Object.entries(input).filter(([, value]) => !knownValues.includes(value))),
  };
}

/** What a call says, writes, sends, or is about to show. */
export function getCallTexts(call: ToolCall): CallText[] {
  return call.guessed ? [...getToolTexts(call), ...getToolTexts(getRemainingCall(call))] : getToolTexts(call);
}

function getToolTexts(call: ToolCall): CallText[] {
  switch (call.tool) {
    case "Bash":
      return [{ text: call.input.command, where: "the command" }];
    case "Write":
      return [{ text: call.input.content, where: call.input.file_path, file: call.input.file_path }];
    case "Edit":
      return call.input.files.map(({ file_path, edits }) => ({
        text: edits.map(({ new_string }) => new_string).join("\n"),
        before: edits.map(({ old_string }) => old_string).join("\n"),
        where: file_path,
        file: file_path,
      }));
    case "Read":
      return call.input.content === undefined
        ? []
        : [{ text: call.input.content, where: call.input.file_path, file: call.input.file_path }];
    default:
      return [{ text: collectTexts(call.input).join("\n"), where: "the call" }];
  }
}

/** The kinds of secrets in a text that were not in what stood there before. */
export async function findSecretKinds(text: string, { ignore }: SecretsSettings, before = ""): Promise<string[]> {
  const found = await secrets(text);
  return found
    .filter(({ kind, start, end }) => !ignore.includes(kind) && !before.includes(text.slice(start, end)))
    .map(({ kind }) => kind);
}

export const formatKinds = (kinds: readonly string[]): string => [...new Set(kinds)].join(", ");
