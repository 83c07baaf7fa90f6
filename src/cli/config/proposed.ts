import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runInTempDir } from "../../author/testing/temp-dir.ts";
import { type ConfigScope, type ConfigSource, withProposedConfig } from "../../policy/sources.ts";
import { escapeInvisible } from "../../operate/text.ts";
import { writeAll } from "../../call/process/io.ts";
import type { HookSet } from "../find-hooks.ts";
import { formatPath } from "../terminal/layout.ts";
import { paintPlain } from "../terminal/colors.ts";
import { wrapForTerminal } from "../terminal/terminal.ts";
import { checkConfigFiles } from "./check.ts";
import { formatCheckReport } from "./check-text.ts";
import { resolveConfigScope } from "./scope.ts";

/**
 * Runs `work` with a config file in place of the installed file of the same scope. Prints the findings of
 * `config check` to stderr.
 * @param file a path, or `-` for stdin
 * @throws Error if `config check` finds errors, after printing them.
 */
export async function runWithProposedFile<T>(
  { file, scope }: { file: string; scope: ConfigScope | undefined },
  hooks: HookSet,
  work: (source: ConfigSource, name: (text: string) => string) => Promise<T>,
): Promise<T> {
  return withReadableFile(file, async (path) => {
    const name = (text: string) => (file === "-" ? text.replaceAll(path, "stdin") : text);
    const source = { scope: resolveConfigScope(path, scope, process.cwd()), path };
    const report = await checkConfigFiles([file === "-" ? path : file], source.scope, hooks, process.cwd());
    const hasFindings = report.files.some(({ findings }) => findings.length > 0);
    if (!report.ok || hasFindings)
      writeAll(2, wrapForTerminal(name(formatCheckReport(report, paintPlain)), process.stderr));
    if (!report.ok) throw new Error(`${name(file === "-" ? path : file)} was not used; fix its errors first`);
    return withProposedConfig(source, () => work(source, name));
  });
}

/** Runs `work` with a file's path. If the file is stdin, copies stdin to a temporary file first. */
const withReadableFile = <T>(file: string, work: (path: string) => Promise<T>): Promise<T> =>
  file !== "-"
    ? work(resolve(file))
    : runInTempDir(async ({ folder }) => {
        mkdirSync(folder, { recursive: true });
        const path = join(folder, "stdin.json");
        writeFileSync(path, readFileSync(0));
        return work(path);
      });

/** Formats the line that names the proposed config file and its scope. */
export const formatProposedFile = ({ scope, path }: ConfigSource): string =>
  `config: ${escapeInvisible(formatPath(path))}, used as the ${scope} file\n`;
