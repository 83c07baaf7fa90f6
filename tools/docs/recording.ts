import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CONSOLE_BLOCK = /```console\n(\$ [\s\S]*?)```/;

/** Extracts the commands typed in a page's recording. */
export const extractTypedLines = (page: string): string[] =>
  [...(CONSOLE_BLOCK.exec(page)?.[1] ?? "").matchAll(/^\$ (.*(?:\\\n.*)*)$/gm)].map(([, line]) => line as string);

export const withRecording = (page: string, recording: string): string =>
  page.replace(CONSOLE_BLOCK, () => `\`\`\`console\n${recording}\`\`\``);

export const extractRecording = (page: string): string => CONSOLE_BLOCK.exec(page)?.[1] ?? "";

/**
 * Runs commands in an empty directory, as on a machine that has only the executable: no Node, Bun or npm, and no
 * variables except HOME, PATH and COLUMNS.
 *
 * @returns the commands with their output, as in a terminal.
 */
export function recordLines(executable: string, lines: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-recording-"));
  try {
    const [bin, home, work] = ["bin", "home", "my-guard"].map((name) => join(folder, name)) as [string, string, string];
    for (const path of [bin, home, work]) mkdirSync(path);
    copyFileSync(executable, join(bin, "bridge-hooks"));
    return lines
      .map((line) => {
        const { stdout } = Bun.spawnSync(["/bin/sh", "-c", `{ ${line}\n} 2>&1`], {
          cwd: work,
          env: { PATH: bin, HOME: home, COLUMNS: "80" },
        });
        return `$ ${line}\n${stdout}`;
      })
      .join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes everything that differs between runs: times, sizes (with their padding) and the ID of a denied call. */
export const removeMeasurements = (text: string): string =>
  text
    .replace(/\d+(\.\d+)?m?s\b/g, "Nms")
    .replace(/ +\d+\.\d+\b/g, " N")
    .replace(/\bbridge-hooks allow [a-z0-9]{8},/g, "bridge-hooks allow ID,");
