import { removeWordPrefix, type FileUse, type WordPiece, resolveAgainstFolder, listUsedFiles } from "./operands.ts";
import { readGitArguments } from "../programs/git-arguments.ts";
import type { FileAccess } from "../programs/program.ts";
import { getTexts } from "../words/word.ts";

/** Git subcommands that accept revisions before files. */
const REVISION_SUBCOMMANDS = new Set([
  "checkout",
  "diff",
  "log",
  "show",
  "restore",
  "cat-file",
  "blame",
  "archive",
  "grep",
  "worktree",
]);

/** Lists the files in git arguments: `git -C there show HEAD:x`, `git diff main -- x`. */
export function readGitFiles(words: readonly WordPiece[]): FileUse[] {
  const { verb, at, folders } = readGitArguments(getTexts(words));
  const workTree = findWorkTree(words.slice(0, at));
  const listedFiles = listSubcommandFiles(verb, words.slice(at + 1));
  const fileUses = workTree
    ? listedFiles.map((use) => ({ given: use.text, ...use, ...resolveAgainstFolder(workTree, use) }))
    : listedFiles;
  if (workTree && CHECKOUT_SUBCOMMAND.test(verb)) fileUses.push({ ...workTree, access: "write", fills: true });
  const namedFolders = folders.flatMap((index) => words[index] ?? []);
  if (namedFolders.length === 0) return fileUses;
  const folder = namedFolders.reduce(resolveAgainstFolder);
  return [
    { ...folder, access: "list" },
    ...fileUses.map((use) => ({ given: use.text, ...use, ...resolveAgainstFolder(folder, use) })),
  ];
}

/** Git subcommands that write files from a commit to the working tree. */
const CHECKOUT_SUBCOMMAND =
  /^(?:checkout|checkout-index|switch|restore|reset|read-tree|merge|pull|rebase|stash|cherry-pick)$/;

/** Returns the working tree set by an option: `git --work-tree=there checkout x`. */
function findWorkTree(words: readonly WordPiece[]): WordPiece | undefined {
  const at = words.findIndex(({ text }) => /^--work-tree(?:=|$)/.test(text));
  const word = words[at];
  return word && (word.text.includes("=") ? removeWordPrefix(word, "--work-tree=".length) : words[at + 1]);
}

function listSubcommandFiles(verb: string, words: readonly WordPiece[]): FileUse[] {
  const inRevision = ({ text }: WordPiece) =>
    /^(?:show|cat-file|diff)$/.test(verb) ? (/^[\w./~^@{}-]*:(?=.)/.exec(text)?.[0].length ?? 0) : 0;
  const fileUses = words.flatMap((word): FileUse[] => {
    const length = inRevision(word);
    return length > 0 ? [{ ...removeWordPrefix(word, length), given: word.text, access: "read" }] : [];
  });
  const dashes = REVISION_SUBCOMMANDS.has(verb) ? words.findIndex(({ text }) => text === "--") : -1;
  const paths = words.filter((word, at) => (at >= dashes || word.text.startsWith("-")) && inRevision(word) === 0);
  const isCertain = dashes >= 0 || !REVISION_SUBCOMMANDS.has(verb);
  const access = getWholeFolderAccess(verb, words);
  return [
    ...fileUses,
    ...listUsedFiles(`git ${verb}`, paths).map((use): FileUse => (isCertain ? use : { ...use, uncertain: true })),
    ...(access ? [{ text: ".", access }] : []),
  ];
}

/** Returns how a git subcommand accesses the entire directory when its arguments don't name any files. */
function getWholeFolderAccess(verb: string, words: readonly WordPiece[]): FileAccess | undefined {
  const hasOption = (option: RegExp) => words.some(({ text }) => option.test(text));
  if (verb === "add") return hasOption(/^(?:-[a-zA-Z]*[Au]|--all|--update)$/) ? "read" : undefined;
  if (verb === "reset") return hasOption(/^--hard$/) ? "write" : undefined;
  return verb === "clean" && !hasOption(/^[^-]/) ? "write" : undefined;
}
