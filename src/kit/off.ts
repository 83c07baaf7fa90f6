import { basename, resolve } from "node:path";
import type { HostEntry } from "../core/host.ts";
import type { Place } from "../core/setup.ts";
import type { Command } from "../core/shell/index.ts";
import { registry } from "../hosts/registry.ts";

/** What is looked at of a command. */
export type Said = Pick<Command, "program" | "args" | "env">;

const NAME = "bridge-hooks";
/** The names that the build gives to executables, unless it is told another. */
const OWN = new RegExp(`^${NAME}(-(linux|darwin|windows)-[\\w-]+)?$`, "i");
/** What this executable is called; nothing where hooks run in another program. */
const SELF = Bun.isStandaloneExecutable ? basename(process.execPath).replace(/\.exe$/i, "") : undefined;
const isOwn = (program: string) => OWN.test(program) || program === SELF;

/** Whether a word by which processes are chosen is our name, or a pattern that fits it. */
function choosesUs(word: string): boolean {
  if (word.startsWith("-")) return false;
  try {
    return new RegExp(word, "i").test(NAME) || isOwn(basename(word).replace(/\.exe$/i, ""));
  } catch {
    return false;
  }
}

/** Programs that may write files or end processes, and words that change what other commands do. */
const WRITERS =
  "rm rmdir unlink shred trash trash-put mv cp scp rsync install ditto ln link tee sponge touch truncate dd mkdir rename patch apply_patch sed gsed " +
  "awk gawk mawk nawk perl ruby ed ex vi vim nvim nano pico emacs chmod chown chgrp chattr setfacl tar bsdtar unzip zip 7z gzip gunzip curl wget " +
  "find xargs parallel split openssl gpg docker podman kill pkill killall taskkill defaults reg uninstall purge eval source export declare typeset " +
  "unset alias set-content add-content clear-content remove-item move-item copy-item rename-item new-item out-file stop-process del erase rd ren " +
  "move copy robocopy";
/** What git does with files. */
const OF_GIT = "checkout restore clone worktree init bundle archive submodule config apply am stash clean reset";
/** Programs that take a program of their own on the line, and how it is given. */
const OF_CODE = "python python2 python3 node bun deno php lua osascript pwsh powershell";
const GIVEN = /\s(?:-{1,2}\w*[cep]|-\s|<<)/;

/** By word, whether it is enough that it is there. Made when it is first asked for. */
let known: ReadonlyMap<string, boolean> | undefined;
const made = () =>
  new Map([
    ...`${WRITERS} ${OF_GIT}`.split(" ").map((word) => [word, true] as const),
    ...OF_CODE.split(" ").map((word) => [word, false] as const),
  ]);

/**
 * Whether a line may write files, or names a host's program, its variables or its files. Quotes hide nothing; what puts words together may.
 * @param isPart whether a file that the line is redirected to, as it is written there, is or may lead to one that matters.
 */
export function mayConcern(line: string, place: Pick<Place, "home" | "platform" | "env">, isPart: (file: string) => boolean): boolean {
  if (line.includes("$'") || line.includes("$(") || line.includes("`")) return true;
  const given = line.replaceAll("'", "").replaceAll('"', "").replaceAll("\\", "").toLowerCase();
  if (given.includes(">")) {
    const files = redirections(line);
    if (files === undefined || files.some(isPart)) return true;
  }
  known ??= made();
  for (const word of given.split(/[^\w-]+/)) {
    const enough = known.get(word);
    if (enough === true || (enough === false && GIVEN.test(given))) return true;
  }
  for (const { guarded } of registry) {
    for (const word of guarded.programs) if (given.includes(word)) return true;
    for (const word of guarded.variables) if (given.includes(word.toLowerCase())) return true;
    for (const file of guarded.files(place)) if (given.includes(nameIn(file).toLowerCase())) return true;
  }
  return given.includes(NAME) || (SELF !== undefined && given.includes(SELF.toLowerCase()));
}

const REDIRECTION = /[&\d]?>>?\s*(?:\/dev\/null\b|&\d|((?!\S*\.\.)[\w@%+=:.][\w@%+=:./-]*)(?=[\s;|]|$))/g;

/** The files that a line is redirected to, if they are plain words in the folder that it begins in; nothing where that can't be told. */
function redirections(line: string): string[] | undefined {
  if (/["'\\(){}#<]|\b(?:cd|pushd|popd|env|sudo)\b/.test(line)) return undefined;
  const files = [...line.matchAll(REDIRECTION)].flatMap(([, file]) => file ?? []);
  // Each costs a look at the disk: more than a person writes go the long way.
  return files.length > 8 || line.replace(REDIRECTION, "").includes(">") ? undefined : files;
}

/** The name by which a guarded file is noticed: its first folder's, or the last of a whole path. */
function nameIn(file: string): string {
  const steps = file.split("/").filter(Boolean);
  return (file.startsWith("**/") ? steps[1] : steps.at(-1)) ?? file;
}

/** What commands would do so that hooks are asked no more, to follow "it". `covers` tells a file that keeps them in force. */
export function switchedOff(commands: readonly Said[], cwd: string, covers: (path: string) => boolean): string | undefined {
  const kills = commands.some(({ program, args }) => program === "kill" || (program === "xargs" && args.includes("kill")));
  for (const command of commands) {
    const { program, args } = command;
    if (isOwn(program)) {
      const what = ownCommand(args, (word) => covers(resolve(cwd || "/", word)));
      if (what !== undefined) return what;
    }
    const ends = KILLERS.test(program) || (kills && /^(pgrep|pidof)$/.test(program));
    if (ends && args.some(choosesUs)) return `ends ${NAME}`;
    if (MANAGERS.test(program) && args.some((word) => REMOVERS.test(word)) && args.includes(NAME)) return `uninstalls ${NAME}`;
    for (const host of registry) {
      const what = off(host, command);
      if (what !== undefined) return what;
    }
  }
  return undefined;
}

const KILLERS = /^(pkill|killall|taskkill|stop-process)$/i;
const MANAGERS = /^(npm|pnpm|yarn|bun|brew|apt|apt-get|dnf|pip|winget|choco|scoop)$/;
const REMOVERS = /^(uninstall|un|remove|rm|purge|unlink)$/;

/** What our own program would change. */
function ownCommand(args: readonly string[], covers: (word: string) => boolean): string | undefined {
  const [verb = ""] = args.filter((word) => !word.startsWith("-"));
  if (/^(un)?install$/.test(verb) && !args.includes("--dry-run")) return `changes how ${NAME} is installed`;
  const written = args.flatMap((word) => [word, ...word.split("=").slice(1)]).find(covers);
  return /^(build|init|mdm)$/.test(verb) && written !== undefined ? `writes to ${written}` : undefined;
}

/** Commands of a shell that set a variable, or take it back, for what runs behind them. */
const SETTERS = /^(export|declare|typeset|readonly|set|setx|unset)$/;
/** Programs that run another one by its package's name. */
const RUNNERS = /^(npx|bunx|pnpx|npm|pnpm|yarn|bun)$/;
/** Variables that decide where a program looks for its configs. */
const HOMES = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME"];

/** What a command would do to a host, so that it asks hooks no more. */
function off({ guarded, name }: HostEntry, { program, args, env }: Said): string | undefined {
  const sets = (variable: string) => SETTERS.test(program) && args.some((word) => word.split("=")[0] === variable);
  const variable = guarded.variables.find((one) => one in env || sets(one));
  if (variable !== undefined) return `sets ${variable}, by which ${name} asks other hooks or none`;
  const names = (what: string) => args.some((word) => word.toLowerCase().includes(what.toLowerCase()));
  if (
    /^(defaults|reg)$/i.test(program) &&
    guarded.managed?.some(names) &&
    !/^(read|read-type|query|export|find|domains)$/i.test(args[0] ?? "")
  )
    return `changes the managed settings of ${name}`;
  const isHost = (word: string) => guarded.programs.includes(word.replace(/(?<=.)@[^@/]*$/, ""));
  const at = RUNNERS.test(program) ? args.findIndex(isHost) : -1;
  if (at < 0 && !isHost(program)) return undefined;
  const home = HOMES.find((one) => one in env);
  return home === undefined
    ? guarded.off(args.slice(at + 1))
    : `starts ${name} with another ${home}, where other hooks are configured or none`;
}
