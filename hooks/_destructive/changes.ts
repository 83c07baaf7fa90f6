import { type Command, readGitArguments } from "bridge-hooks";
import { type LineContext, normalizePath } from "./line-context.ts";
import { resolveCommandFolder } from "./places.ts";

/** What tells git of another working tree than the one around its folder. */
const OTHER_WORK_TREE =
  /\bGIT_(DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|CONFIG)|core\.worktree|--(git-dir|work-tree|config-env)(=|\s+[^\s&|;])/i;

/** Whether a line may tell git of another working tree than the one around its folder. */
export const isOtherWorkTree = (line: string): boolean => OTHER_WORK_TREE.test(line);

/** Programs that change no file, and what git does without bringing in what no commit has. */
const QUIET_PROGRAM =
  /^(cd|pushd|popd|pwd|ls|echo|printf|true|:|set|test|\[|\[\[|cat|head|tail|wc|grep|rg|sort|date|sleep|which|gh)$/;
const QUIET_VERB =
  /^(fetch|pull|push|status|log|diff|show|branch|tag|remote|describe|rev-parse|rev-list|ls-files|ls-remote|checkout|switch|reset|restore|clean)$/;

/** Whether a git command may lose changes that are not committed. */
export function mayLoseChanges(command: Command, here: LineContext): boolean {
  const folder = command.remote || OTHER_WORK_TREE.test(here.line) ? undefined : resolveGitFolder(command, here);
  if (folder === undefined) return true;
  const quiet = here.commands.slice(0, here.commands.indexOf(command)).every(isQuietCommand);
  // What an earlier command has changed isn't there yet: another folder may be another one then, and new files may be
  // added.
  if (!quiet && folder !== here.cwd) return true;
  const repository = here.repository(folder);
  return (quiet ? repository?.changed : repository?.dirty) !== false;
}

/** The folder that git runs in, absolute; undefined where the line does not tell. */
function resolveGitFolder(command: Command, here: LineContext): string | undefined {
  const { args, dynamic } = command;
  let folder = resolveCommandFolder(command, here);
  for (const at of readGitArguments(args).folders) {
    const to = args[at] ?? "";
    if (folder === undefined || dynamic[at] !== undefined) return undefined;
    folder = normalizePath(/^([/\\]|[A-Za-z]:)/.test(to) ? to : `${folder}/${to}`);
  }
  return folder;
}

export function isQuietCommand({ program, args, redirects }: Command): boolean {
  if (redirects.some(({ operator, target }) => operator.includes(">") && !/^(\d|-|\/dev\/null)$/.test(target)))
    return false;
  return (
    QUIET_PROGRAM.test(program) || program === "" || (program === "git" && QUIET_VERB.test(readGitArguments(args).verb))
  );
}
