import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runInTempDir } from "../../author/testing/temp-dir.ts";
import { type ConfigScope, type ConfigSource, withProposedConfig } from "../../policy/sources.ts";
import { escapeInvisible } from "../../operate/text.ts";
import { writeAll } from "../../call/process/io.ts";
import type { HookSet } from "../find-hooks.ts";
import { formatPath } from "../terminal/layout.ts";
import { paintPlain } from "../terminal/colors.ts";
import { fitToTerminal } from "../terminal/terminal.ts";
import { checkConfigFiles } from "./check.ts";
import { formatCheckReport } from "./check-text.ts";
import { resolveConfigScope } from "./scope.ts";

/**
 * Runs work by a config file as if it were in place, instead of the file of its scope. What `config check` notes in it
 * goes to stderr.
 * @param file `-` for stdin.
 * @throws Error where `config check` finds it wrong, after its findings.
 */
export async function runWithProposed<T>(
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
      writeAll(2, fitToTerminal(name(formatCheckReport(report, paintPlain)), process.stderr));
    if (!report.ok)
      throw new Error(`nothing was judged by ${name(file === "-" ? path : file)}: correct what is wrong in it`);
    return withProposedConfig(source, () => work(source, name));
  });
}

/** Runs work with the path of a file; stdin is copied to one for that long. */
const withReadableFile = <T>(file: string, work: (path: string) => Promise<T>): Promise<T> =>
  file !== "-"
    ? work(resolve(file))
    : runInTempDir(async ({ folder }) => {
        mkdirSync(folder, { recursive: true });
        const path = join(folder, "stdin.json");
        writeFileSync(path, readFileSync(0));
        return work(path);
      });

/** The line that says by which file a command judges, and what it stands for. */
export const formatProposed = ({ scope, path }: ConfigSource): string =>
  `config: ${escapeInvisible(formatPath(path))}, as if it were the ${scope} file\n`;
