import { type Events, git, type PathUse, paths, shellCall, type ShellCall, shellLine } from "bridge-hooks";
import { type SecretPathCheck, createPathCheck } from "./files.ts";
import { mayConcernSecrets, splitWords } from "./hints.ts";
import { findCommitFolders, findSecretFile } from "./line-files.ts";
import type { SecretsSettings } from "./options.ts";
import { findPrintedSecret } from "./printing.ts";
import {
  getRemainingCall,
  type PendingCall,
  type StopReason,
  findSecretKinds,
  formatKinds,
  collectTexts,
} from "./texts.ts";

/** Of a larger commit, the beginning is looked at. */
const MAX_STAGED_CHARACTERS = 1_000_000;

const formatFileReason = (file: string) =>
  `${file.replace(/\/\/[^/@\s]*@/, "//")} holds secrets. Ask the user for what you need from it, or use a template such as .env.example.`;

const formatPrintReason = (what: string) =>
  `"${what}" prints secrets. Use them without printing them: a program gets a variable by its name, and "env | cut -d= -f1" lists the names alone.`;
const formatStagedReason = (file: string) =>
  `${file} is staged, and it holds secrets. Take it out with "git restore --staged ${file}", and put it into .gitignore.`;

/** The file of secrets that an event names, or that a name in it leads to, as it is written there. */
function findNamedSecretFile(
  event: PendingCall | Events["UserPromptSubmit"],
  { isSecret, isFolder, isPattern }: SecretPathCheck,
): string | undefined {
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
  return event.tool === "MCP" || event.tool === "Other" ? collectTexts(event.input).find(isSecret) : undefined;
}

/** What a shell line would do with secrets, apart from holding one. */
async function findLineReasons(event: ShellCall<PendingCall>, options: SecretsSettings): Promise<StopReason[]> {
  const { command: line, cwd: folder } = event.input;
  const place = { cwd: folder ?? event.cwd, root: event.cwd };
  const { commands, problem } = shellLine(event);
  const found: StopReason[] = [];
  if (options.files !== "off") {
    const ask = createPathCheck(options, place);
    const file =
      findSecretFile(line, commands, place, options) ??
      findNamedSecretFile(event, ask) ??
      (problem && splitWords(line).find(ask.isSecret));
    if (file) found.push(["files", formatFileReason(file)]);
  }
  const what = options.printing !== "off" && findPrintedSecret(line, commands);
  if (what) found.push(["printing", formatPrintReason(what)]);
  for (const repository of findCommitFolders(commands, place.cwd))
    found.push(...(await findStagedReasons(repository, event.cwd, options)));
  return found;
}

/** What a commit in a folder would keep for ever. */
async function findStagedReasons(folder: string, cwd: string, options: SecretsSettings): Promise<StopReason[]> {
  const { root, staged } = git({ cwd: folder }) ?? {};
  const lines = staged?.()?.split("\n") ?? [];
  const files = lines.flatMap((line) => (line.startsWith("+++ b/") ? line.slice("+++ b/".length) : []));
  const file =
    options.files !== "off" && files.find(createPathCheck(options, { cwd: root ?? folder, root: cwd }).isSecret);
  const added = lines.filter((line) => line.startsWith("+") && !line.startsWith("+++ ")).map((line) => line.slice(1));
  const kinds =
    options.content === "off" ? [] : await findSecretKinds(added.join("\n").slice(0, MAX_STAGED_CHARACTERS), options);
  const found: StopReason[] = [];
  if (file) found.push(["files", formatStagedReason(file)]);
  if (kinds.length > 0)
    found.push(["content", `what is staged holds a secret (${formatKinds(kinds)}). Take it out before the commit.`]);
  return found;
}

/** The reasons to stop a call that lie in what it does: in the files and programs that it names. */
export async function findCallReasons(event: PendingCall, options: SecretsSettings): Promise<StopReason[]> {
  const shell = shellCall(event);
  const found =
    shell && mayConcernSecrets(shell.input.command, shell.input.cwd ?? event.cwd, options.deny)
      ? await findLineReasons(shell, options)
      : [];
  if (options.files === "off" || (event.tool === "Bash" && !event.guessed)) return found;
  const place = createPathCheck(options, { cwd: event.cwd, root: event.cwd });
  const file =
    (event.tool !== "Bash" && findNamedSecretFile(event, place)) ||
    (event.guessed && findNamedSecretFile({ ...event, ...getRemainingCall(event) } as PendingCall, place));
  return file ? [...found, ["files", formatFileReason(file)]] : found;
}

/** The first file of secrets that is attached to a prompt. */
export const findAttachedSecretFile = (
  event: Events["UserPromptSubmit"],
  options: SecretsSettings,
): string | undefined => findNamedSecretFile(event, createPathCheck(options, { cwd: event.cwd, root: event.cwd }));

/** Whether the user lets a file hold secrets. */
export const isAllowedFile = (file: string, { cwd }: PendingCall, options: SecretsSettings): boolean =>
  createPathCheck(options, { cwd, root: cwd }).isAllowed(file);
