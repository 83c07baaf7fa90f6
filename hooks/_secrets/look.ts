import { type Events, git, type PathUse, paths, shellCall, type ShellCall, shellLine } from "bridge-hooks";
import { type Judge, judge } from "./files.ts";
import { concerns, wordsOf } from "./hints.ts";
import { commits, secretFile } from "./lines.ts";
import type { Settings } from "./options.ts";
import { printed } from "./printing.ts";
import { besides, type Call, type Found, kindsIn, names, textsIn } from "./texts.ts";

/** Of a larger commit, the beginning is looked at. */
const MOST_STAGED = 1_000_000;

const holds = (file: string) =>
  `${file.replace(/\/\/[^/@\s]*@/, "//")} holds secrets. Ask the user for what you need from it, or use a template such as .env.example.`;

const prints = (what: string) =>
  `"${what}" prints secrets. Use them without printing them: a program gets a variable by its name, and "env | cut -d= -f1" lists the names alone.`;
const isStaged = (file: string) =>
  `${file} is staged, and it holds secrets. Take it out with "git restore --staged ${file}", and put it into .gitignore.`;

/** The file of secrets that an event names, or that a name in it leads to, as it is written there. */
function named(event: Call | Events["UserPromptSubmit"], { isSecret, isFolder, isPattern }: Judge): string | undefined {
  const { tool, input } = "tool" in event ? event : { tool: undefined, input: {} };
  const searched = "path" in input ? input.path : undefined;
  const used = paths(event).filter(({ access, given }) => access !== "list" && (tool !== "Grep" || given === searched));
  // What a line says by its name is for its commands to tell, `ssh -i key.pem` is fine; links and wildcards hide a name.
  const isHidden = ({ given, path }: PathUse) =>
    !isSecret(given) && !isFolder(given) && (isSecret(path) || isFolder(path));
  const found = used.find(tool === "Bash" ? isHidden : ({ given, path }) => isSecret(given) || isSecret(path));
  if (found || !("tool" in event)) return found?.given;
  if (event.tool === "Grep") return [event.input.glob].find((glob) => glob !== undefined && isPattern(glob));
  if (event.tool === "WebFetch")
    return [event.input.url].find((url) => url.startsWith("file:") && isSecret(url.slice("file://".length)));
  return event.tool === "MCP" || event.tool === "Other" ? textsIn(event.input).find(isSecret) : undefined;
}

/** What a shell line would do with secrets, apart from holding one. */
async function inLine(event: ShellCall<Call>, options: Settings): Promise<Found[]> {
  const { command: line, cwd: folder } = event.input;
  const place = { cwd: folder ?? event.cwd, root: event.cwd };
  const { commands, problem } = shellLine(event);
  const found: Found[] = [];
  if (options.files !== "off") {
    const ask = judge(options, place);
    const file =
      secretFile(line, commands, place, options) ?? named(event, ask) ?? (problem && wordsOf(line).find(ask.isSecret));
    if (file) found.push(["files", holds(file)]);
  }
  const what = options.printing !== "off" && printed(line, commands);
  if (what) found.push(["printing", prints(what)]);
  for (const repository of commits(commands, place.cwd)) found.push(...(await inStage(repository, event.cwd, options)));
  return found;
}

/** What a commit in a folder would keep for ever. */
async function inStage(folder: string, cwd: string, options: Settings): Promise<Found[]> {
  const { root, staged } = git({ cwd: folder }) ?? {};
  const lines = staged?.()?.split("\n") ?? [];
  const files = lines.flatMap((line) => (line.startsWith("+++ b/") ? line.slice("+++ b/".length) : []));
  const file = options.files !== "off" && files.find(judge(options, { cwd: root ?? folder, root: cwd }).isSecret);
  const added = lines.filter((line) => line.startsWith("+") && !line.startsWith("+++ ")).map((line) => line.slice(1));
  const kinds = options.content === "off" ? [] : await kindsIn(added.join("\n").slice(0, MOST_STAGED), options);
  const found: Found[] = [];
  if (file) found.push(["files", isStaged(file)]);
  if (kinds.length > 0)
    found.push(["content", `what is staged holds a secret (${names(kinds)}). Take it out before the commit.`]);
  return found;
}

/** The reasons to stop a call that lie in what it does: in the files and programs that it names. */
export async function inCall(event: Call, options: Settings): Promise<Found[]> {
  const shell = shellCall(event);
  const found =
    shell && concerns(shell.input.command, shell.input.cwd ?? event.cwd, options.deny)
      ? await inLine(shell, options)
      : [];
  if (options.files === "off" || (event.tool === "Bash" && !event.guessed)) return found;
  const place = judge(options, { cwd: event.cwd, root: event.cwd });
  const file =
    (event.tool !== "Bash" && named(event, place)) ||
    (event.guessed && named({ ...event, ...besides(event) } as Call, place));
  return file ? [...found, ["files", holds(file)]] : found;
}

/** The first file of secrets that is attached to a prompt. */
export const attached = (event: Events["UserPromptSubmit"], options: Settings): string | undefined =>
  named(event, judge(options, { cwd: event.cwd, root: event.cwd }));

/** Whether the user lets a file hold secrets. */
export const isAllowed = (file: string, { cwd }: Call, options: Settings): boolean =>
  judge(options, { cwd, root: cwd }).isAllowed(file);
