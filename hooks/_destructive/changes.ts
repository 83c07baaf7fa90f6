import { type Command, readGitArguments } from "bridge-hooks";
import { type LineContext, normalizePath } from "./line-context.ts";
import { resolveCommandFolder, resolveOperandPath } from "./places.ts";

/** Variables and options that point git at another working tree. */
const WORK_TREE_OVERRIDE =
  /\bGIT_(DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|CONFIG)|core\.worktree|--(git-dir|work-tree|config-env)(=|\s+[^\s&|;])/i;

/** Whether a shell command might make git use a different working tree. */
export const mayOverrideWorkTree = (line: string): boolean => WORK_TREE_OVERRIDE.test(line);

/** Programs that don't change files, and git subcommands that leave no uncommitted changes behind. */
const NON_WRITING_PROGRAM =
  /^(cd|pushd|popd|pwd|ls|echo|printf|true|:|set|test|\[|\[\[|cat|head|tail|wc|grep|rg|sort|date|sleep|which|gh)$/;
const HARMLESS_SUBCOMMAND =
  /^(fetch|pull|push|status|log|diff|show|branch|tag|remote|describe|rev-parse|rev-list|ls-files|ls-remote|checkout|switch|reset|restore|clean)$/;

/** Resolves the directory in which git runs to an absolute path; undefined if the directory is unknown. */
export function resolveGitFolder(command: Command, context: LineContext): string | undefined {
  const { args, dynamic } = command;
  let folder = resolveCommandFolder(command, context);
  for (const at of command.program === "git" ? readGitArguments(args).folders : []) {
    const [text = "", dynamicWord] = [args[at], dynamic[at]];
    if (folder === undefined) return undefined;
    folder =
      dynamicWord === undefined
        ? normalizePath(/^([/\\]|[A-Za-z]:)/.test(text) ? text : `${folder}/${text}`)
        : resolveOperandPath({ text, dynamic: dynamicWord }, { ...command, cwd: folder }, context)?.path;
  }
  return folder;
}

export function isQuietCommand({ program, args, redirects }: Command): boolean {
  if (redirects.some(({ operator, target }) => operator.includes(">") && !/^(\d|-|\/dev\/null)$/.test(target)))
    return false;
  return (
    NON_WRITING_PROGRAM.test(program) ||
    program === "" ||
    (program === "git" && HARMLESS_SUBCOMMAND.test(readGitArguments(args).verb))
  );
}
