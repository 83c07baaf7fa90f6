import { removeWordPrefix, type FileUse, listFilesByTable, listUsedFiles, type WordPiece } from "./operands.ts";
import { type FileUseReader, getProgram } from "./file-use-reader.ts";

/** Lists files copied into or out of a container: `docker cp NAME:/x there`. */
export function listCopiedFiles(words: readonly WordPiece[]): FileUse[] {
  const at = words.findIndex(({ text }) => text === "cp");
  if (at < 0 || words.slice(0, at).some(({ text }) => !/^(?:-.*|container|compose)$/.test(text))) return [];
  const fileUses = listFilesByTable(getProgram("cp"), words.slice(at + 1));
  const isRemote = ({ text }: FileUse) => /^[\w./-]{1,200}:/.test(text);
  // A source without a file extension may be a directory. This isn't assumed if the destination is the home directory.
  const isHome = /^(?:~|\$HOME|\$\{HOME\})\/?$/.test(fileUses.at(-1)?.text ?? "");
  const isWholeFolder = fileUses.some(
    (use) => isRemote(use) && (/\/\.?$/.test(use.text) || (!isHome && !/\.\w+$/.test(use.text))),
  );
  return fileUses.map((use): FileUse =>
    isRemote(use)
      ? { ...use, ...removeWordPrefix(use, use.text.indexOf(":") + 1), given: use.text, remote: true }
      : { ...use, ...(isWholeFolder && use.access === "write" && { fills: true }) },
  );
}

const readPodCopy: FileUseReader = (words) => [
  ...listCopiedFiles(words),
  ...listFilesByTable(getProgram("kubectl"), words),
];

const FETCH_VERB = /^(?:sync|copy|rsync|mirror|cp|mv|get|export|checkout|co|clone|archive)$/;
/** Verbs that copy local files elsewhere without removing them. */
const SEND_VERB = /^(?:sync|copy|copyto|rsync|cp|put|upload)$/;
const REMOTE_ADDRESS = /^(?:[a-z][\w+.-]*:\/\/|[\w.-]+:(?!\\))/i;
/**
 * Creates a parser for `rclone copy r:x there` and `aws s3 sync s3://x there`. If an earlier operand is remote, the
 * last operand is the destination.
 */
const createFetchReader =
  (program: string): FileUseReader =>
  (words) => {
    const fileUses = listUsedFiles(program, words);
    const operands = words.filter(({ text }) => !text.startsWith("-"));
    const lastOperand = operands.at(-1);
    if (lastOperand && REMOTE_ADDRESS.test(lastOperand.text) && operands.some(({ text }) => SEND_VERB.test(text)))
      return fileUses.map(({ uncertain: _, ...use }) => ({ ...use, access: "read" }));
    const isFetched =
      operands.some(({ text }) => FETCH_VERB.test(text)) &&
      operands.slice(0, -1).some(({ text }) => REMOTE_ADDRESS.test(text));
    return isFetched && lastOperand && !REMOTE_ADDRESS.test(lastOperand.text)
      ? [...fileUses, { ...lastOperand, access: "write", fills: true }]
      : fileUses;
  };

/** Parses `rsync host:x/ there`, which copies the contents of a remote directory. */
const readRsync: FileUseReader = (words) => {
  const fileUses = listFilesByTable(getProgram("rsync"), words);
  const isFilled = fileUses.some(
    ({ text }) => /^[\w.@-]{2,}::?[^]*(?:\/\.?|:)$/.test(text) || /^rsync:\/\/.*\/$/.test(text),
  );
  return fileUses.map((use) => (isFilled && use.takes ? { ...use, fills: true } : use));
};

/** Parses `gh release download -D there` and `gh repo clone a/b there`. */
const readGh: FileUseReader = (words) => {
  const [group, verb, , folder] = words.filter(({ text }) => !text.startsWith("-"));
  const isDownload = verb?.text === "download";
  const cloneFolder = group?.text === "repo" && verb?.text === "clone" ? folder : undefined;
  return [
    ...listUsedFiles("gh", words),
    ...(isDownload ? listFilesByTable(getProgram("gh"), words) : []),
    ...(cloneFolder ? [{ ...cloneFolder, access: "write" as const, fills: true as const }] : []),
  ];
};

/** Argument parsers for programs that fetch files from other machines, containers and services. */
export const FETCH_READERS: Readonly<Record<string, FileUseReader>> = {
  rsync: readRsync,
  "kubectl oc k": readPodCopy,
  ...Object.fromEntries(
    "rclone aws gsutil gcloud s3cmd svn hg".split(" ").map((name) => [name, createFetchReader(name)]),
  ),
  gh: readGh,
};
