import { existsSync } from "bridge-hooks/files";
import { resolve } from "bridge-hooks/paths";
import {
  argumentPattern,
  type Command,
  type Events,
  git,
  type PathUse,
  paths,
  shellCall,
  type ShellCall,
  shellLine,
} from "bridge-hooks";
import { expandHome, findBroadWildcards } from "../_paths.ts";
import { type SecretPathCheck, createPathCheck, isHarmlessWrite, type SettingsFiles } from "./files.ts";
import { listKeeperCommands } from "./keepers.ts";
import { findCommitFolders, findSecretFile } from "./line-files.ts";
import { isHarmless, showsFiles } from "./file-programs.ts";
import type { SecretsSettings } from "./options.ts";
import type { SecretsPolicy } from "./policy.ts";
import { findPrintedSecret } from "./printing.ts";
import { findUnsharedFile } from "./settings-files.ts";
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

/** The words of a line that can't be parsed. */
const splitWords = (line: string): string[] => line.split(/[\s;&|<>()'"`=:@,]+/);

/** A URL may have a password before its host. */
const createFileReason = (file: string): StopReason => ({
  rule: "secrets/read-file",
  what: file.replace(/\/\/[^/@\s]*@/, "//"),
});

/** The file of secrets that an event names, or that a name in it leads to, as it is written there. */
function findNamedSecretFile(
  event: PendingCall | Events["UserPromptSubmit"],
  { isSecret, isNamedSecret, isFolder, isPattern, isMissing }: SecretPathCheck,
  commands: readonly Command[] = [],
): string | undefined {
  const { tool, input } = "tool" in event ? event : { tool: undefined, input: {} };
  const searched = "path" in input ? input.path : undefined;
  const used = paths(event).filter(({ access, given }) => access !== "list" && (tool !== "Grep" || given === searched));
  // What a line says by its name is for its commands to tell, `ssh -i key.pem` is fine; links and wildcards hide a
  // name.
  const isHidden = ({ given, path }: PathUse) =>
    !isNamedSecret(given) && !isFolder(given) && (isSecret(path) || isFolder(path));
  const isMade = ({ given, path }: PathUse) =>
    tool === "Write" && isMissing(given) && isMissing(path) && isHarmlessWrite(path, input.content);
  const found =
    tool === "Bash"
      ? findHiddenUse(used, isHidden, commands)
      : used.find((use) => (isSecret(use.given) || isSecret(use.path)) && !isMade(use));
  if (found || !("tool" in event)) return found?.given;
  if (event.tool === "Grep") return [event.input.glob].find((glob) => glob !== undefined && isPattern(glob));
  if (event.tool === "WebFetch")
    return [event.input.url].find((url) => url.startsWith("file:") && isSecret(url.slice("file://".length)));
  return event.tool === "MCP" || event.tool === "Other" ? collectTexts(event.input).find(isSecret) : undefined;
}

/**
 * The first use of a hidden file. A wildcard that fits other files as well counts where a program shows or sends them
 * all: `cat *`, but not `chmod +x *`.
 */
function findHiddenUse(
  used: readonly PathUse[],
  isHidden: (use: PathUse) => boolean,
  commands: readonly Command[],
): PathUse | undefined {
  const found = used.filter(isHidden);
  if (found.length === 0) return undefined;
  const broad = findBroadWildcards(used, isHidden);
  const listWords = (isSuch: (command: Command) => boolean) =>
    new Set(commands.filter(isSuch).flatMap(({ args, redirects }) => [...args, ...redirects.map((one) => one.target)]));
  const [harmful, shown] = [listWords((command) => !isHarmless(command)), listWords(showsFiles)];
  const harmless = listWords(isHarmless);
  return found.find(
    ({ given }) => (!broad.has(given) || shown.has(given)) && (harmful.has(given) || !harmless.has(given)),
  );
}

/** What a shell line would do with secrets, apart from holding one. */
async function findLineReasons(event: ShellCall<PendingCall>, policy: SecretsPolicy): Promise<StopReason[]> {
  const options = policy.withExceptions("secrets/read-file");
  const { command: line, cwd: folder } = event.input;
  const context = { cwd: folder ?? event.cwd, root: event.cwd };
  const { commands, problem } = shellLine(event);
  const found: StopReason[] = [];
  if (options.files !== "off") {
    const file = await findUnsharedFile((settings) => {
      const ask = createPathCheck(options, { ...context, settings, contents: settings.contents });
      return (
        findSecretFile(line, commands, { ...context, settings }, options) ??
        findNamedSecretFile(event, ask, commands) ??
        (problem ? splitWords(line).find(ask.isSecret) : undefined)
      );
    }, options);
    if (file) found.push(createFileReason(file));
  }
  const printed =
    options.printing === "off"
      ? undefined
      : findPrintedSecret(line, listKeeperCommands(commands), (command, isStored) =>
          policy
            .listMatches(isStored ? "secrets/print-stored" : "secrets/print-environment")
            .some((match) => argumentPattern(match)(command)),
        );
  if (printed)
    found.push({
      rule: printed.isStored ? "secrets/print-stored" : "secrets/print-environment",
      what: printed.what,
    });
  for (const repository of findCommitFolders(commands, context.cwd))
    found.push(...(await findStagedReasons(repository, event.cwd, policy)));
  return found;
}

/** What a commit in a folder would keep for ever. */
async function findStagedReasons(folder: string, cwd: string, policy: SecretsPolicy): Promise<StopReason[]> {
  const options = policy.withExceptions("secrets/stage-file");
  const { root, staged } = git({ cwd: folder }) ?? {};
  const lines = staged?.()?.split("\n") ?? [];
  const files = lines.flatMap((line) => (line.startsWith("+++ b/") ? line.slice("+++ b/".length) : []));
  const findStaged = (settings: SettingsFiles) =>
    files.find(
      createPathCheck(options, { cwd: root ?? folder, root: cwd, settings, contents: settings.contents }).isSecret,
    );
  const file = options.files !== "off" && (await findUnsharedFile(findStaged, options));
  const added = lines.filter((line) => line.startsWith("+") && !line.startsWith("+++ ")).map((line) => line.slice(1));
  const kinds =
    options.content === "off" ? [] : await findSecretKinds(added.join("\n").slice(0, MAX_STAGED_CHARACTERS), options);
  const found: StopReason[] = [];
  if (file) found.push({ rule: "secrets/stage-file", what: file });
  if (kinds.length > 0) found.push({ rule: "secrets/stage-text", what: formatKinds(kinds) });
  return found;
}

/** The reasons to stop a call that lie in what it does: in the files and programs that it names. */
export async function findCallReasons(event: PendingCall, policy: SecretsPolicy): Promise<StopReason[]> {
  const options = policy.withExceptions("secrets/read-file");
  const shell = shellCall(event);
  const found = shell ? await findLineReasons(shell, policy) : [];
  if (options.files === "off" || (event.tool === "Bash" && !event.guessed)) return found;
  const file = await findUnsharedFile((settings) => {
    const checkPath = createPathCheck(options, {
      cwd: event.cwd,
      root: event.cwd,
      settings,
      contents: settings.contents,
    });
    const named = event.tool === "Bash" ? undefined : findNamedSecretFile(event, checkPath);
    if (named !== undefined || !event.guessed) return named;
    return findNamedSecretFile({ ...event, ...getRemainingCall(event) } as PendingCall, checkPath);
  }, options);
  return file ? [...found, createFileReason(file)] : found;
}

/** The first file of secrets that is attached to a prompt. */
export const findAttachedSecretFile = (
  event: Events["UserPromptSubmit"],
  options: SecretsSettings,
): string | undefined => {
  const { attachments = [], cwd } = event;
  const isAttached = (path: string) => /^\w+:/.test(path) || existsSync(resolve(cwd, expandHome(path)));
  return findNamedSecretFile(
    { ...event, attachments: attachments.filter(isAttached) },
    createPathCheck(options, { cwd, root: cwd }),
  );
};

/** Whether the user lets a file hold secrets. */
export const isAllowedFile = (file: string, { cwd }: PendingCall, options: SecretsSettings): boolean =>
  createPathCheck(options, { cwd, root: cwd }).isAllowed(file);
