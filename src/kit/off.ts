import { basename, resolve } from "node:path";
import type { Host } from "../core/host.ts";
import type { Place } from "../core/setup.ts";
import type { Command } from "../core/shell/index.ts";
import { hosts } from "../hosts/index.ts";

/** What is looked at of a command. */
export type Said = Pick<Command, "program" | "args" | "env">;

const NAME = "bridge-hooks";
/** The names that the build gives to executables, unless it is told another. */
const OWN = new RegExp(`^${NAME}(-(linux|darwin|windows)-[\\w-]+)?$`, "i");
const isOwn = (program: string) => OWN.test(program) || program === basename(process.execPath).replace(/\.exe$/i, "");

/** Whether a word by which processes are chosen is our name, or a pattern that fits it. */
function choosesUs(word: string): boolean {
  if (word.startsWith("-")) return false;
  try {
    return new RegExp(word, "i").test(NAME) || isOwn(basename(word).replace(/\.exe$/i, ""));
  } catch {
    return false;
  }
}

/** Words of commands that may write files, or end processes; what is not in here is looked at only if it names something. */
const WRITES = new RegExp(
  `\\b(?:${[
    "rm|rmdir|unlink|shred|trash(?:-put)?|mv|cp|scp|rsync|install|ditto|ln|link|tee|sponge|touch|truncate|dd|mkdir|rename|patch|apply_patch",
    "sed|gsed|[gmn]?awk|perl|ruby|ed|ex|vim?|nvim|nano|pico|emacs|chmod|chown|chgrp|chattr|setfacl|tar|unzip|zip|7z|g(?:un)?zip|curl|wget",
    "find|xargs|parallel|split|openssl|gpg|docker|podman|p?kill|killall|taskkill|defaults|reg|uninstall|purge|eval|source|export|declare|unset|alias",
    "(?:set|add|clear|remove|move|copy|rename|new|out|stop)-(?:content|item|file|process)|del|erase|rd|ren|move|copy|robocopy",
  ].join("|")})\\b`,
);
/** Programs that take a program of their own on the line, and how it is given. */
const CODE = /\b(?:python[\d.]*|node|bun|deno|php|lua|osascript|pwsh|powershell)\b/;
const GIVEN = /\s(?:-{1,2}\w*[cep]|-\s|<<)/;
const GIT = /\b(?:checkout|restore|rm|mv|clone|worktree|init|bundle|archive|submodule|config|apply|am|stash|clean|reset)\b/;

/** Whether a line may write files, or names a host's program, its variables or its files. Quotes hide nothing; what puts words together may. */
export function mayConcern(line: string, place: Pick<Place, "home" | "platform" | "env">): boolean {
  const given = line.replace(/['"\\]/g, "").toLowerCase();
  if (/\$['(]|`/.test(line) || WRITES.test(given) || (CODE.test(given) && GIVEN.test(given)) || (/\bgit\b/.test(given) && GIT.test(given)))
    return true;
  if (given.replace(/[&\d]?>+\s*(?:\/dev\/null\b|&\d)/g, "").includes(">")) return true;
  return words(place).some((word) => given.includes(word));
}

/** What hosts, their variables and their files are called, and what we are. */
function words(place: Pick<Place, "home" | "platform" | "env">): string[] {
  const files = hosts.flatMap(({ guarded }) => guarded.files(place)).map((file) => file.replace(/^\*\*\//, "").split("/"));
  const names = files.map((steps) => (steps[0] || steps.findLast(Boolean)) ?? NAME);
  const others = hosts.flatMap(({ guarded }) => [...guarded.programs, ...guarded.variables]);
  return [...names, ...others, NAME, basename(process.execPath)].map((word) => word.toLowerCase());
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
    for (const host of hosts) {
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
function off({ guarded, name }: Host, { program, args, env }: Said): string | undefined {
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
