import { writeAll } from "../../call/process/io.ts";

/** What people set for `less` holds; else it ends when all fits on the screen, shows colours and leaves the text there. */
const LESS = "FRX";

/** Shows a text: through $PAGER or less at a terminal, and as it is everywhere else. */
export function showText(text: string): void {
  const pager = process.env.PAGER ?? "command -v less >/dev/null && exec less; exec cat";
  if (!process.stdout.isTTY || pager.trim() === "" || process.platform === "win32") {
    writeAll(1, text);
    return;
  }
  const { success } = Bun.spawnSync(["/bin/sh", "-c", pager], {
    stdin: Buffer.from(text),
    stdout: "inherit",
    stderr: "inherit",
    env: { LESS, ...process.env },
  });
  if (!success) writeAll(1, text);
}
