import { existsSync } from "bridge-hooks/files";
import { basename, resolve } from "bridge-hooks/paths";
import {
  argumentPattern,
  type Command,
  type Events,
  type PathUse,
  paths,
  shellCall,
  type ShellCall,
  shellLine,
  withoutExclusions,
} from "bridge-hooks";
import { expandHome, findBroadWildcards } from "../_paths.ts";
import { describeChange } from "./changed-files.ts";
import {
  type ChecksByAccess,
  createPathCheck,
  createPathChecks,
  isHarmlessWrite,
  type SecretPathCheck,
} from "./files.ts";
import { listPasswordStoreCommands } from "./keepers.ts";
import { findStagedReasons, listCommits } from "./commits.ts";
import { findSecretFiles, type FoundFiles } from "./line-files.ts";
import { isHarmless, printsFiles } from "./file-programs.ts";
import type { SecretsSettings } from "./options.ts";
import type { SecretsPolicy } from "./policy.ts";
import { findPrintedSecret } from "./printing.ts";
import { findUnsharedFile } from "./settings-files.ts";
import { getRemainingCall, type PendingCall, type StopReason, collectStrings } from "./texts.ts";

/** Splits a shell command into words when it can't be parsed. */
const splitWords = (line: string): string[] => line.split(/[\s;&|<>()'"`=:@,]+/);

/** Removes the credentials from a URL. */
const removeUrlCredentials = (file: string): string => file.replace(/\/\/[^/@\s]*@/, "//");

const listFileReasons = ({ read, write }: FoundFiles): StopReason[] => [
  ...(read === undefined ? [] : [{ rule: "secrets/read-file" as const, finding: removeUrlCredentials(read) }]),
  ...(write === undefined ? [] : [{ rule: "secrets/write-file" as const, finding: removeUrlCredentials(write) }]),
];

/** Whether a call only writes a file. False for an unknown tool, because it might read the file as well. */
const isCertainWrite = ({ access, uncertain }: PathUse): boolean => access === "write" && !uncertain;

/** Finds secret files that an event names directly or through a symlink or glob. */
function findNamedSecretFiles(
  event: PendingCall | Events["UserPromptSubmit"],
  checks: ChecksByAccess,
  commands: readonly Command[] = [],
): FoundFiles | undefined {
  const searched = "tool" in event && event.tool === "Grep" ? event.input.path : undefined;
  const isRelevantUse = ({ access, given }: PathUse) =>
    access !== "list" && (!("tool" in event) || event.tool !== "Grep" || given === searched);
  const fileUses = paths(event).filter(isRelevantUse);
  const [written, read] = [fileUses.filter(isCertainWrite), fileUses.filter((use) => !isCertainWrite(use))];
  const find = (uses: readonly PathUse[], check: SecretPathCheck) =>
    "tool" in event && event.tool === "Bash"
      ? findHiddenUse(uses, check, commands)
      : uses.find((use) => check.isSecret(use.given) || check.isSecret(use.path));
  const changedFile = find(
    written.filter((use) => !createsAcceptableFile(event, use, checks.write)),
    checks.write,
  );
  const secretFile = find(read, checks.read)?.given ?? findNameInFields(event, checks.read, written);
  if (secretFile === undefined && changedFile === undefined) return undefined;
  return {
    ...(secretFile !== undefined && { read: secretFile }),
    ...(changedFile && { write: describeUse(event, changedFile, checks) }),
  };
}

/** Whether a write creates a new file and its contents are acceptable for a file with that name. */
const createsAcceptableFile = (
  event: PendingCall | Events["UserPromptSubmit"],
  { given, path }: PathUse,
  check: SecretPathCheck,
) =>
  check.isAbsent(given) &&
  check.isAbsent(path) &&
  !("tool" in event && event.tool === "Write" && !isHarmlessWrite(path, event.input.content));

function describeUse(event: PendingCall | Events["UserPromptSubmit"], { given }: PathUse, { write }: ChecksByAccess) {
  if (write.isAbsent(given)) return `${given} would contain secrets`;
  return describeChange(given, "tool" in event && event.tool === "Write" ? "overwrite" : "change");
}

/** Finds the name of a secret file in tool-input fields that `paths` doesn't cover. */
function findNameInFields(
  event: PendingCall | Events["UserPromptSubmit"],
  { isSecret, isPattern }: SecretPathCheck,
  writtenFiles: readonly PathUse[],
): string | undefined {
  if (!("tool" in event)) return undefined;
  const { tool, input } = event;
  if (tool === "Grep") return [input.glob].find((glob) => glob !== undefined && isPattern(glob));
  if (tool === "WebFetch")
    return [input.url].find((url) => url.startsWith("file:") && isSecret(url.slice("file://".length)));
  if (tool !== "MCP" && tool !== "Other") return undefined;
  return collectStrings(input).find((text) => isSecret(text) && !writtenFiles.some(({ given }) => given === text));
}

/** Whether every cmdlet that uses the wildcard excludes the file: `Copy-Item * there -Exclude .env`. */
function isExcluded({ given, named }: PathUse, commands: readonly Command[]): boolean {
  const users = commands.filter(({ args }) => args.includes(given));
  return (
    users.length > 0 &&
    users.every(({ words }) => {
      const at = words.findIndex((word) => /^-exclude$/i.test(word));
      const end = words.findIndex((word, index) => index > at && word.startsWith("-"));
      const names = at < 0 ? [] : words.slice(at + 1, end < 0 ? undefined : end).flatMap((word) => word.split(","));
      return names.some((name) => new Bun.Glob(name.trim()).match(basename(named)));
    })
  );
}

/**
 * Finds where a secret file is used under a different name. A wildcard that also matches ordinary files counts only if
 * a program prints or sends them: `cat *`, but not `chmod +x *`.
 */
function findHiddenUse(
  fileUses: readonly PathUse[],
  { isSecret, isNamedSecret, isFolder }: SecretPathCheck,
  commands: readonly Command[],
): PathUse | undefined {
  // If a file's name is visible in the command, the command check decides, so `ssh -i key.pem` is allowed. Symlinks and
  // wildcards hide the name.
  const isHidden = ({ given, path }: PathUse) =>
    !isNamedSecret(given) && !isFolder(given) && (isSecret(path) || isFolder(path));
  const hiddenUses = fileUses.filter((use) => isHidden(use) && !isExcluded(use, commands));
  if (hiddenUses.length === 0) return undefined;
  const broadWildcards = findBroadWildcards(fileUses, isHidden);
  const listWords = (predicate: (command: Command) => boolean) =>
    new Set(
      commands
        .filter(predicate)
        .flatMap(({ args, redirects }) => [...args, ...redirects.map((redirect) => redirect.target)]),
    );
  const [harmful, displayed] = [listWords((command) => !isHarmless(command)), listWords(printsFiles)];
  const harmlessWords = listWords(isHarmless);
  return hiddenUses.find(
    ({ given }) =>
      (!broadWildcards.has(given) || displayed.has(given)) && (harmful.has(given) || !harmlessWords.has(given)),
  );
}

/** Finds the ways a shell command would expose secrets, other than by containing secrets itself. */
async function findLineReasons(event: ShellCall<PendingCall>, policy: SecretsPolicy): Promise<StopReason[]> {
  const { options } = policy;
  const { command: line, cwd: folder } = event.input;
  const context = { cwd: folder ?? event.cwd, root: event.cwd };
  const { commands: lineCommands, problem } = shellLine(event);
  const commands = lineCommands.map(withoutExclusions);
  const reasons: StopReason[] = [];
  if (options.files !== "off") {
    const fileLists = getFileLists(policy);
    const files = await findUnsharedFile((settings) => {
      const checks = createPathChecks(fileLists, { ...context, settings, contents: settings.contents });
      const secretFiles = findSecretFiles(line, commands, { ...context, settings }, fileLists);
      const hiddenFile = findNamedSecretFiles(event, checks, commands);
      const unparsedSecret = problem && !secretFiles?.read ? splitWords(line).find(checks.read.isSecret) : undefined;
      return secretFiles || hiddenFile || unparsedSecret !== undefined
        ? { ...(unparsedSecret !== undefined && { read: unparsedSecret }), ...hiddenFile, ...secretFiles }
        : undefined;
    }, options);
    if (files) reasons.push(...listFileReasons(files));
  }
  const printed =
    options.printing === "off"
      ? undefined
      : findPrintedSecret(line, listPasswordStoreCommands(commands), (command, isStored) =>
          policy
            .listMatches(isStored ? "secrets/print-stored" : "secrets/print-environment")
            .some((match) => argumentPattern(match)(command)),
        );
  if (printed)
    reasons.push({
      rule: printed.isStored ? "secrets/print-stored" : "secrets/print-environment",
      finding: printed.finding,
    });
  for (const commit of listCommits(commands, context.cwd))
    reasons.push(...(await findStagedReasons(commit, event.cwd, policy)));
  return reasons;
}

/** Returns the user's globs for reading and writing. */
const getFileLists = ({ withExceptions }: SecretsPolicy): Readonly<Record<keyof FoundFiles, SecretsSettings>> => ({
  read: withExceptions("secrets/read-file"),
  write: withExceptions("secrets/write-file"),
});

/** Finds reasons to stop a call based on the files and programs it names. */
export async function findCallReasons(event: PendingCall, policy: SecretsPolicy): Promise<StopReason[]> {
  const shell = shellCall(event);
  const reasons = shell ? await findLineReasons(shell, policy) : [];
  if (policy.options.files === "off" || (event.tool === "Bash" && !event.guessed)) return reasons;
  const fileLists = getFileLists(policy);
  const { cwd } = event;
  const files = await findUnsharedFile((settings) => {
    const checks = createPathChecks(fileLists, { cwd, root: cwd, settings, contents: settings.contents });
    const secretFiles = event.tool === "Bash" ? undefined : findNamedSecretFiles(event, checks);
    if (secretFiles !== undefined || !event.guessed) return secretFiles;
    return findNamedSecretFiles({ ...event, ...getRemainingCall(event) } as PendingCall, checks);
  }, policy.options);
  return files ? [...reasons, ...listFileReasons(files)] : reasons;
}

/** Finds the first secret file attached to a prompt. */
export const findAttachedSecretFile = (
  event: Events["UserPromptSubmit"],
  options: SecretsSettings,
): string | undefined => {
  const { attachments = [], cwd } = event;
  const isAttached = (path: string) => /^\w+:/.test(path) || existsSync(resolve(cwd, expandHome(path)));
  const check = createPathCheck(options, { cwd, root: cwd });
  return findNamedSecretFiles({ ...event, attachments: attachments.filter(isAttached) }, { read: check, write: check })
    ?.read;
};

/** Whether the user's settings allow secrets in a file. */
export const isAllowedFile = (file: string, { cwd }: PendingCall, options: SecretsSettings): boolean =>
  createPathCheck(options, { cwd, root: cwd }).isAllowed(file);
