import { resolve } from "bridge-hooks/paths";
import { type Command, readGitArguments } from "bridge-hooks";
import { expandHome } from "../_paths.ts";

/** Programs that can create files without naming them in the command. */
const UNPACKING_PROGRAMS = new Set(
  "ln mv rsync tar bsdtar gtar unzip 7z cpio mount sshfs bindfs scp sftp patch apply_patch make vault".split(" "),
);
/** git subcommands that create or change files in the working tree. */
const WRITING_GIT =
  /^(?:clone|checkout|switch|restore|stash|pull|merge|reset|worktree|cherry-pick|revert|am|apply|rebase|submodule)$/;
/** Programs that create files only by redirecting output. */
const REDIRECT_ONLY_PROGRAMS = new Set(
  "cat head tail less wc ls test [ [[ stat file echo printf cd pushd grep sed awk sha256sum md5sum diff cmp rm mkdir chmod chown curl wget sleep true export".split(
    " ",
  ),
);
/** `openssl` subcommands whose output is not a private key. */
const KEYLESS_OPENSSL_SUBCOMMAND = /^(?:req|x509|ca|crl|verify|s_client|dhparam|dgst|version|asn1parse)$/;

/** Lists the words that may name files created by a command; undefined if it isn't clear which files it creates. */
function listCreatableNames({ program, args, redirects }: Command): string[] | undefined {
  const targets = redirects.flatMap(({ operator, target }) =>
    /^(?:[>&]|<>)/.test(operator) && program !== "curl" && program !== "wget" ? target : [],
  );
  if (REDIRECT_ONLY_PROGRAMS.has(program)) return targets;
  if (UNPACKING_PROGRAMS.has(program)) return undefined;
  if (program === "git") return WRITING_GIT.test(readGitArguments(args).verb) ? undefined : targets;
  if (program === "cp" && args.some((arg) => /^(?:-[a-z]*[rRaL]|--(?:recursive|archive))/.test(arg))) return undefined;
  if (program === "openssl" && KEYLESS_OPENSSL_SUBCOMMAND.test(args[0] ?? ""))
    return [...targets, ...args.filter((_, at) => args[at - 1] === "-keyout")];
  return [...targets, ...args.flatMap((arg) => [arg, ...arg.split("=").slice(1)])];
}

/**
 * Returns a predicate that tells whether a path might be created by another command in the same shell command, either
 * directly or through a symlink along the path.
 */
export function createCreationCheck(
  commands: readonly Command[],
  getFolder: (command: Command) => string,
): (path: string, asking: Command) => boolean {
  let creators: { by: ReadonlyMap<string, Command | "several">; unpacking: ReadonlySet<Command> } | undefined;
  return (path, asking) => {
    creators ??= findCreatedFiles(commands, getFolder);
    const { by, unpacking } = creators;
    if (unpacking.size > (unpacking.has(asking) ? 1 : 0)) return true;
    // The command may create any of the parent directories, so check them all.
    for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/"))))
      if ((by.get(at) ?? asking) !== asking) return true;
    return false;
  };
}

function findCreatedFiles(commands: readonly Command[], getFolder: (command: Command) => string) {
  const by = new Map<string, Command | "several">();
  const unpacking = new Set<Command>();
  for (const command of commands) {
    const names = listCreatableNames(command);
    if (names === undefined) unpacking.add(command);
    for (const name of names ?? []) {
      if (name === "") continue;
      const path = resolve(getFolder(command), expandHome(name));
      by.set(path, (by.get(path) ?? command) === command ? command : "several");
    }
  }
  return { by, unpacking };
}
