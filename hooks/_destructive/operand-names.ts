/**
 * User-facing names for the sets mentioned in reasons and advice. Sets that aren't listed already have suitable names.
 */
const OPERAND_NAMES: Readonly<Record<string, string>> = {
  ...{ answered: "folder", below: "folder", changed: "folder", globbed: "folder", system: "folder", tree: "folder" },
  ...{ away: "path", moved: "path", outside: "path" },
  ...{ downloaded: "file", overwritten: "file" },
  ...{ hollow: "source", mirrored: "destination" },
  ...{ held: "branch", fetched: "branch", main: "branch" },
  ...{ lost: "uncommitted changes", undone: "uncommitted changes", unadded: "files", untracked: "untracked files" },
  ...{ stash: "git stash" },
  ...{
    libraries: "code",
    models: "code",
    mongo: "command",
    redis: "command",
    requested: "statement",
    sql: "statement",
  },
  ...{ decoded: "command", piped: "command", substituted: "command" },
  ...{ kind: "resource", lasting: "name", product: "resource", request: "resource" },
  last: "disk",
};

/** Replaces set names with user-facing names, as in `it deletes <folder>`. */
export const nameOperands = (text: string): string =>
  text.replaceAll(/<(\w+)>/g, (_, set: string) => `<${OPERAND_NAMES[set] ?? set}>`);
