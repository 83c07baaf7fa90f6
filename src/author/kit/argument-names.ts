/**
 * Words that indicate a path in argument names. Words can be joined without a separator: `filepath`, `outFile`,
 * `dst_dir`.
 */
const PATH_WORDS = "path file dir directory folder pathname filename notebook".split(" ");
const SOURCE_WORDS = "source src from old original".split(" ");
const TARGET_WORDS = "destination dest dst out output outfile into save".split(" ");
const LOCATION_WORDS = "target to new input in uri url root cwd location name link local".split(" ");
/**
 * Words that mark an argument as text if they aren't followed by a path word: `file_content`, `old_string`, but not
 * `text_file`.
 */
const TEXT_WORDS = new Set(
  `content contents text body data message query prompt description title comment label summary code string str pattern
  regex search replacement type mode encoding language format id size count extension ext hash reason line lines tag
  tags branch repo owner sha ref version value`.split(/\s+/),
);
/**
 * Verbs in tool names, grouped by the tool's effect. If a name contains more than one verb (`create_symlink`), the
 * first matching row wins.
 */
const VERBS_BY_EFFECT = {
  remove: "delete remove rm unlink trash erase rmdir del destroy purge wipe clean cleanup clear empty prune reset",
  move: "move rename mv",
  copy: "copy cp duplicate",
  link: "link symlink ln hardlink",
  fill: "extract unzip untar unpack decompress unarchive inflate sync synchronize mirror restore clone",
  mount: "mount bind",
  mode: "chmod chown permission",
  edit: "edit append insert replace patch apply modify update change fix",
  write: "write create save put set make mkdir touch export store overwrite add truncate download",
} as const;
/** A tool's effect on the files named in its arguments. */
export type FileEffect = keyof typeof VERBS_BY_EFFECT;

const EFFECTS_BY_VERB = new Map<string, FileEffect>(
  Object.entries(VERBS_BY_EFFECT).flatMap(([effect, verbs]) =>
    verbs.split(" ").map((verb) => [verb, effect as FileEffect]),
  ),
);
const READING_VERBS = new Set(
  `read get view open load show cat search grep fetch upload send import parse analyze analyse diff
  compare blame check validate count summarize summarise hash lint inspect describe explain backup`.split(/\s+/),
);
const LISTING_VERBS = new Set("list ls stat info exist tree glob find".split(" "));

/** Words that can be run together in a name, as in `outfile`. Longest first. */
const COMPOUND_WORDS = [
  ...new Set([
    ...PATH_WORDS,
    ...SOURCE_WORDS,
    ...TARGET_WORDS,
    ...LOCATION_WORDS,
    ...EFFECTS_BY_VERB.keys(),
    "full",
    "abs",
    "base",
  ]),
  ...["read", "list", "get", "write", "archive", "absolute", "relative", "rel"],
].toSorted((one, other) => other.length - one.length);
const MAX_COMPOUND_LENGTH = 40;

/**
 * Splits a compound such as `outfile` into `out` and `file`. Returns undefined if the compound contains an unknown
 * word.
 */
function splitCompound(text: string): string[] | undefined {
  if (text === "") return [];
  for (const word of COMPOUND_WORDS) {
    if (!text.startsWith(word)) continue;
    const otherWords = splitCompound(text.slice(word.length));
    if (otherWords) return [word, ...otherWords];
  }
  return undefined;
}

/** Strips the plural ending and trailing digits. */
const toSingular = (word: string): string =>
  word
    .replace(/\d{1,4}$/, "")
    .replace(/(?<=director|entit)ies$/, "y")
    .replace(/(?<=\w\w[^s])s$/, "");

/**
 * Splits the name of a tool or argument into words. `file_path`, `filePath`, `file-path` and `filepath` all give the
 * same words.
 */
export function splitName(name: string): readonly string[] {
  return name
    .slice(0, MAX_NAME_LENGTH)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .flatMap((part) => {
      if (part === "") return [];
      const word = toSingular(part);
      return (word.length <= MAX_COMPOUND_LENGTH && splitCompound(word)) || [word];
    });
}
/** Hosts truncate names to about 64 characters. */
const MAX_NAME_LENGTH = 200;

const includesWord = (list: readonly string[], word: string) => list.includes(word);

/** The meaning of an argument's value, derived from the argument's name. */
export interface ArgumentRole {
  /**
   * "path": always a path; "glob": a path with wildcards; "place": a path if the value looks like one; "text": never a
   * path; "unknown": the name doesn't say.
   */
  kind: "path" | "glob" | "place" | "text" | "unknown";
  isSource: boolean;
  isTarget: boolean;
  /**
   * Whether the argument names an output file, even if the tool only reads other files. False for `target_file`, which
   * might be the input file.
   */
  isOutput: boolean;
  /** Whether the value is only a file name, possibly in the directory of another argument's file. */
  isName: boolean;
}

export function describeArgument(name: string, effect?: FileEffect): ArgumentRole {
  const words = splitName(name);
  const lastWord = words.at(-1) ?? "";
  const containsWord = (list: readonly string[]) => words.some((word) => includesWord(list, word));
  if (lastWord === "glob" || (lastWord === "pattern" && words.length === 1 && effect === "remove"))
    return { kind: "glob", isSource: false, isTarget: false, isOutput: false, isName: false };
  const isNameOfFile = lastWord === "name" && words.slice(0, -1).some((word) => includesWord(PATH_WORDS, word));
  const kind =
    includesWord(PATH_WORDS, lastWord) || isNameOfFile
      ? "path"
      : words.some((word) => TEXT_WORDS.has(word))
        ? "text"
        : containsWord(PATH_WORDS) || [SOURCE_WORDS, TARGET_WORDS, LOCATION_WORDS].some(containsWord)
          ? "place"
          : "unknown";
  return {
    kind,
    isSource: containsWord(SOURCE_WORDS),
    isOutput: containsWord(TARGET_WORDS),
    isTarget: containsWord(TARGET_WORDS) || containsWord(["target", "to", "new"]),
    isName: lastWord === "name",
  };
}

/** Whether an argument names the directory that other arguments are relative to. */
export const isFolderArgument = (name: string): boolean =>
  /^(?:cwd|dir|directory|folder|workdir|root)$/.test(splitName(name).at(-1) ?? "");

/** Whether an argument holds an object keyed by path: `{"files": {"a.ts": "…"}}`. */
export const isFileMap = (name: string): boolean =>
  /^(?:file|path|change|edit|document|write|patch)$/.test(splitName(name).at(-1) ?? "");

/** Whether an option such as `delete_source` removes the source of a copy. */
export function isSourceRemoval(name: string): boolean {
  const words = splitName(name);
  return (
    words.some((word) => EFFECTS_BY_VERB.get(word) === "remove") &&
    words.some((word) => includesWord(SOURCE_WORDS, word))
  );
}

/** A tool's file access, derived from its name. */
export interface ToolRole {
  access: "read" | "list" | "write";
  /** Set if the name doesn't say what the tool does. */
  uncertain?: true;
  /** Set if the tool certainly changes files. */
  effect?: FileEffect;
}

export function describeTool(tool: string): ToolRole {
  const words = splitName(tool);
  if (words.some((word) => KNOWLEDGE_GRAPH_WORDS.has(word))) return { access: "list" };
  if (words.includes("git")) {
    if (words.some((word) => GIT_READING_VERBS.has(word))) return { access: "read" };
    if (words.some((word) => GIT_OWN_VERBS.has(word))) return { access: "write", uncertain: true };
  }
  const isFolder = words.some((word) => FOLDER_WORDS.has(word));
  if (isFolder && words.includes("replace")) return { access: "write", effect: "remove" };
  // Tools with names like `clean_project` or `reset_session` don't delete files.
  const cleansFiles = words.every((word) => CLEANING_VERBS.has(word) || FILE_WORDS.has(word));
  const verbs = cleansFiles ? words : words.filter((word) => !CLEANING_VERBS.has(word));
  const effects = new Set(verbs.map((word) => EFFECTS_BY_VERB.get(word)));
  const effect = (Object.keys(VERBS_BY_EFFECT) as FileEffect[]).find((candidate) => effects.has(candidate));
  if (effect !== undefined) {
    const makesFolder = effect === "write" && isFolder;
    return { access: "write", ...(!makesFolder && { effect }) };
  }
  if (words.some((word) => READING_VERBS.has(word))) return { access: "read" };
  return words.some((word) => LISTING_VERBS.has(word)) ? { access: "list" } : { access: "write", uncertain: true };
}
const CLEANING_VERBS = new Set("clean cleanup clear empty prune reset".split(" "));
/** If a tool's name consists only of these words and cleaning verbs, the tool deletes files. */
const FILE_WORDS = new Set([...PATH_WORDS, "content", "all", "up", "tree"]);
/**
 * Git tools with the first group of verbs leave files unchanged. Git tools with the second group change files in the
 * working tree without naming them.
 */
const GIT_READING_VERBS = new Set("add stage commit status show log diff blame".split(" "));
const GIT_OWN_VERBS = new Set("reset clean prune gc".split(" "));
/** Elements of a knowledge graph. Their names aren't paths. */
const KNOWLEDGE_GRAPH_WORDS = new Set(["entity", "observation", "relation"]);
const FOLDER_WORDS = new Set(["mkdir", "dir", "directory", "folder"]);
