import { ask, defineHook, deny, type Events, type IHookResponse, type ToolCall } from "bridge-hooks";
import * as v from "valibot";
import { commands } from "../src/core/shell/index.ts";
import { secrets } from "../src/kit/secrets.ts";
import { type Judge, judge, meansSecrets } from "./_secrets/files.ts";
import { commits, concerns, secretFile } from "./_secrets/lines.ts";
import { printed } from "./_secrets/printing.ts";
import { staged } from "./_secrets/staged.ts";
import { type Said, textsIn, textsOf } from "./_secrets/texts.ts";

const answer = v.optional(v.picklist(["deny", "ask", "off"]), "deny");
const texts = v.optional(v.array(v.string()), []);

const Options = v.strictObject({
  /** Files that may be read and written although they look as if they held secrets: globs of names (`.env.test`) or paths. */
  allow: texts,
  /** Further files that hold secrets. A file that is in both is protected. */
  deny: texts,
  /** A call that reads, changes or sends a file of secrets. */
  files: answer,
  /** A call that prints secrets from the environment or a keeper of passwords. */
  printing: answer,
  /** A call that holds a secret itself. */
  content: answer,
  /** A prompt that holds one. */
  prompts: v.optional(v.picklist(["deny", "warn", "off"]), "deny"),
  /** Kinds of secrets, as `secrets()` names them, that are none here: `gcp-key`. */
  ignore: texts,
});
type Settings = v.InferOutput<typeof Options>;
type Call = Events["PreToolUse"] | Events["PermissionRequest"];

/** A reason to stop a call, and the setting that says how. */
type Found = readonly [setting: "files" | "printing" | "content", reason: string];

const names = (kinds: readonly string[]) => [...new Set(kinds)].join(", ");
const holds = (file: string) => `${file} holds secrets. Ask the user for what you need from it, or use a template such as .env.example.`;

/** The kinds of secrets in a text that were not in what stood there before. */
async function kindsIn(text: string, { ignore }: Settings, before = ""): Promise<string[]> {
  const found = await secrets(text);
  return found.filter(({ kind, start, end }) => !ignore.includes(kind) && !before.includes(text.slice(start, end))).map(({ kind }) => kind);
}

/** The file of secrets that a call of another tool than the shell's names. */
function namedFile(call: ToolCall, { isSecret, isAllowed }: Judge): string | undefined {
  switch (call.tool) {
    case "Read":
    case "Write":
      return [call.input.file_path].find(isSecret);
    case "Edit":
      return call.input.files.flatMap(({ file_path, moved_to }) => [file_path, ...(moved_to ? [moved_to] : [])]).find(isSecret);
    case "Grep": {
      const { path, glob } = call.input;
      if (path !== undefined && isSecret(path)) return path;
      return glob !== undefined && (isSecret(glob) || (meansSecrets(glob) && !isAllowed(glob))) ? glob : undefined;
    }
    case "WebFetch":
      return call.input.url.startsWith("file:") && isSecret(call.input.url.slice("file://".length)) ? call.input.url : undefined;
    case "MCP":
      return textsIn(call.input.arguments).find((text) => isSecret(text.replace(/^file:\/\//, "")));
    case "Other":
      return textsIn(call.input).find(isSecret);
    case "Bash":
    case "Glob":
    case "WebSearch":
    case "Task":
      return undefined;
  }
}

/** What a shell line would do with secrets, apart from holding one. */
async function inLine(event: Call & { tool: "Bash" }, options: Settings): Promise<Found | undefined> {
  const { command: line, cwd: folder } = event.input;
  const cwd = folder ?? event.cwd;
  if (!concerns(line, cwd, options)) return undefined;
  const found = commands(event);
  const file = options.files !== "off" ? secretFile(found, cwd, options) : undefined;
  if (file !== undefined) return ["files", holds(file)];
  const what = options.printing !== "off" ? printed(line, found) : undefined;
  if (what !== undefined)
    return [
      "printing",
      `"${what}" prints secrets. Use them without printing them: a program gets a variable by its name, and "env | cut -d= -f1" lists the names alone.`,
    ];
  for (const repository of commits(found, cwd)) {
    const { files, added } = staged(repository);
    const { isSecret } = judge(options, repository);
    const secret = options.files !== "off" ? files.find(isSecret) : undefined;
    if (secret !== undefined)
      return [
        "files",
        `${secret} is staged, and it holds secrets. Unstage it with "git restore --staged ${secret}", and put it into .gitignore.`,
      ];
    const kinds = options.content !== "off" ? await kindsIn(added, options) : [];
    if (kinds.length > 0) return ["content", `a secret is staged (${names(kinds)}). Take it out before the commit.`];
  }
  return undefined;
}

/** The reasons to stop a call. */
async function problems(event: Call, options: Settings): Promise<Found[]> {
  const ask = judge(options, event.cwd);
  const found: (Found | undefined)[] = [];
  if (event.tool === "Bash") found.push(await inLine(event, options));
  else {
    const file = options.files === "off" ? undefined : namedFile(event, ask);
    if (file !== undefined) found.push(["files", holds(file)]);
  }
  for (const said of options.content === "off" ? [] : textsOf(event)) {
    if (said.file !== undefined && ask.isAllowed(said.file)) continue;
    const kinds = await kindsIn(said.text, options, said.before);
    if (kinds.length > 0) found.push(["content", advice(said, event, names(kinds))]);
  }
  return found.filter((one) => one !== undefined);
}

const advice = ({ where, file }: Said, { tool }: Call, kinds: string) =>
  tool === "Read"
    ? `${where} holds a secret (${kinds}). Ask the user for what you need from it.`
    : file !== undefined
      ? `${where} would hold a secret (${kinds}). Read it from the environment there; if it is a made-up one, ask the user to allow the file.`
      : `${where} holds a secret (${kinds}). Ask the user to put it into an environment variable, and use its name.`;

async function inPrompt(
  { prompt, attachments = [], cwd }: Events["UserPromptSubmit"],
  options: Settings,
): Promise<IHookResponse | undefined> {
  if (options.prompts === "off") return undefined;
  const kinds = await kindsIn(prompt, options);
  const file = attachments.find(judge(options, cwd).isSecret);
  if (kinds.length === 0 && file === undefined) return undefined;
  const what = file === undefined ? `This prompt holds a secret (${names(kinds)})` : `${file}, which is attached, holds secrets`;
  if (options.prompts === "warn") return { user_message: `${what}, and the model gets it. Have a new one issued if that was not meant.` };
  return {
    ...deny(`Blocked: ${what}.`),
    user_message: `${what}, so it was not sent. Take it out; put it into an environment variable or a file that the agent may not read, and name that.`,
  };
}

/**
 * Keeps secrets out of an agent's reach and out of what it says: files of secrets (by their names, and by where links lead),
 * commands that print the environment or what a keeper of passwords holds, and keys, tokens and passwords in a call or a prompt.
 *
 * It does not see what a program reads by itself (`npm start`, `docker compose up`, `tar cz .`, `grep -r KEY .`), what a script
 * or another language does beyond a file's name and the environment, and secrets without a form of their own (`hunter2`).
 */
export default defineHook({
  description: "Keeps secrets out of reach, out of calls and out of prompts",
  event: ["PreToolUse", "PermissionRequest", "UserPromptSubmit"],
  onError: "deny",
  options: Options,
  async handler(event, { options }) {
    if (event.event === "UserPromptSubmit") return inPrompt(event, options);
    const found = await problems(event, options);
    const denied = found.find(([setting]) => options[setting] === "deny");
    if (denied) return deny(`Blocked: ${denied[1]}`);
    return found[0] && ask(`This needs a look: ${found[0][1]}`);
  },
});
