import type { ExpressionReader } from "./loops.ts";

/** Calls that write to a file, some of them only in certain modes or with certain flags. */
const WRITE_CALL =
  /(?<![\w$])(?:((?:(?<!\.)(?:io\.)?|File\.)open|fopen)|(os\.open)|writeFile(?:Sync)?|createWriteStream|file_put_contents|(?:File|IO)\.(?:bin)?write|Bun\.write|Deno\.write(?:Text)?File(?:Sync)?)\s{0,3}\(/g;
const OPEN_FLAGS = /^[^;\n]{0,99}\bO_(?:WRONLY|RDWR|TRUNC|CREAT|APPEND)/;
const WRITE_MODE = /^'[rb]?[wax+]/;
const MAX_CALLS = 100;
const CONTEXT_LENGTH = 300;

/** Finds calls that write to a constant path. Returns the equivalent redirections. */
export function findWrites(code: string, readPaths: ExpressionReader): string[] {
  const commands: string[] = [];
  for (const { 0: call, 1: openingText, 2: flags, index } of code.matchAll(WRITE_CALL).take(MAX_CALLS)) {
    const start = index + call.length;
    const [word, mode = ""] = readPaths(start)?.words ?? [];
    if (openingText !== undefined && !WRITE_MODE.test(mode)) continue;
    if (flags !== undefined && !OPEN_FLAGS.test(code.slice(start, start + CONTEXT_LENGTH))) continue;
    if (word !== undefined) commands.push(`: > ${word}`);
  }
  return commands;
}

/** Calls that move or rename a file or directory. */
const MOVE_CALL =
  /(?<![\w$-])(?:os\.(?:renames?|replace)|shutil\.move|(?:fsp?|fse|fsExtra|promises|fsPromises)\.(?:rename|move)|renameSync|moveSync|Deno\.rename(?:Sync)?|File\.rename|FileUtils\.(?:mv|move)|(?<!\.)rename)\s{0,3}\(/g;

/** Finds calls that move constant paths. Returns the equivalent `mv` commands. */
export function findMoves(code: string, readPaths: ExpressionReader): string[] {
  const commands: string[] = [];
  for (const { 0: call, index } of code.matchAll(MOVE_CALL).take(MAX_CALLS)) {
    const { words = [] } = readPaths(index + call.length) ?? {};
    if (words.length === 2) commands.push(`mv -- ${words.join(" ")}`);
  }
  return commands;
}
