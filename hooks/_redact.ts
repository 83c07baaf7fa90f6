import { type EventOf, type IHookResponse, type Secret, secrets } from "bridge-hooks";

type RedactedTool = "Bash" | "Read" | "Grep" | "WebFetch" | "MCP";
type FinishedCall = EventOf<"PostToolUse", RedactedTool>;

interface RedactSettings {
  allow: readonly string[];
  ignore: readonly string[];
}

/** Redacts secrets in text and keeps track of the kinds found. */
interface Redactor {
  kinds: Set<string>;
  redactText: (text: string) => Promise<string>;
}

function createRedactor({ ignore }: Pick<RedactSettings, "ignore">): Redactor {
  const kinds = new Set<string>();
  return {
    kinds,
    async redactText(text) {
      const matches = (await secrets(text)).filter(({ kind }) => !ignore.includes(kind));
      for (const { kind } of matches) kinds.add(kind);
      return replaceSecrets(text, matches);
    },
  };
}

/** A URL up to its host. Credentials come between the scheme and "@". */
const URL_LOGIN = /^([^:/]{1,21}:\/\/)[^]*(@[^@]*)$/;
/** An ANSI color code. Color codes inside a secret are kept so that the text after the secret keeps its color. */
// oxlint-disable-next-line no-control-regex
const COLOR_CODE = /\x1b\[[\d;]{0,60}m/g;

function replaceSecrets(text: string, matches: readonly Secret[]): string {
  let redactedText = "";
  let end = 0;
  for (const secret of matches) {
    const secretText = text.slice(secret.start, secret.end);
    const [, schemePart = "", hostPart = ""] = (secret.kind.endsWith("-url") && URL_LOGIN.exec(secretText)) || [];
    const colorCodes = secretText.match(COLOR_CODE)?.join("") ?? "";
    redactedText += `${text.slice(end, secret.start)}${schemePart}[redacted: ${secret.kind}]${colorCodes}${hostPart}`;
    end = secret.end;
  }
  return redactedText + text.slice(end);
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isByteArray = (value: unknown): value is number[] =>
  isList(value) && value.length > 0 && value.every((byte) => Number.isInteger(byte));

/** Redacts every string in a value. */
async function redactValue(value: unknown, { kinds, redactText }: Redactor): Promise<unknown> {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (isByteArray(value)) {
    const text = Buffer.from(value).toString();
    const redactedText = await redactText(text);
    return redactedText === text ? value : [...Buffer.from(redactedText)];
  }
  const redact = (part: unknown) => redactValue(part, { kinds, redactText });
  if (isList(value)) return Promise.all(value.map(redact));
  const fields = Object.entries(value).map(async ([name, field]) => [name, await redact(field)] as const);
  return Object.fromEntries(await Promise.all(fields));
}

/** Joins a list of text blocks the way bridge-hooks does; undefined if any block isn't text. */
function joinBlocks(content: unknown): string | undefined {
  const texts = isList(content) ? content.map((block) => (block as { text?: unknown } | null)?.text) : [undefined];
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : undefined;
}

/**
 * Returns a result's structured form, in which secrets can be redacted without changing its shape: content blocks,
 * separate output streams, or an object whose text is its JSON. Undefined if there is none.
 */
function getStructure({ text, raw }: FinishedCall["output"]): Record<string, unknown> | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  const resultObject = (isList(raw) ? { content: raw } : raw) as Record<string, unknown>;
  const isStructure =
    typeof resultObject.stdout === "string" ||
    joinBlocks(resultObject.content) === text ||
    text === JSON.stringify(raw);
  return isStructure ? resultObject : undefined;
}

/** Whether the call reads a file that the `allow` option exempts. */
async function isAllowedFile({ tool, input, cwd }: FinishedCall, { allow }: RedactSettings): Promise<boolean> {
  if (tool !== "Read" || allow.length === 0) return false;
  const { createPathCheck } = await import("./_secrets/files.ts");
  const { isAllowed } = createPathCheck({ allow, deny: [] }, { cwd, root: cwd });
  return (input.file_paths ?? [input.file_path]).every(isAllowed);
}

/** Redacts secrets in a finished call's result without changing its structure. */
export async function redactResult(event: FinishedCall, settings: RedactSettings): Promise<IHookResponse | undefined> {
  const { output, tool_name } = event;
  const redactor = createRedactor(settings);
  const structure = getStructure(output);
  const modified_output = structure
    ? ((await redactValue(structure, redactor)) as Record<string, unknown>)
    : await redactor.redactText(output.text);
  if (redactor.kinds.size === 0 || (await isAllowedFile(event, settings))) return undefined;
  return {
    modified_output,
    reason: `the result of ${tool_name} contains a secret (${[...redactor.kinds].join(", ")})`,
  };
}
