import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareRuntime } from "../../src/cli/build/prepare-runtime.ts";
import { withWorkshop } from "../../src/cli/build/workshop.ts";
import type { Machine } from "./machines.ts";

/** Programs that bridge-hooks, its starter hooks or their commands start, and common system programs. */
const NAMES = "git bash sh cmd powershell pwsh taskkill reg where node npm claude less formatter".split(" ");

/** Programs planted in a directory. Any of them records its name if it's run. */
export interface Planted {
  folder: string;
  /** Path to one of the planted programs. */
  program: string;
  /** Returns the names of the programs that have run since the last call. */
  takeTrace: () => string;
}

/** Plants programs in a directory, as a cloned repository might contain them. */
export async function plantPrograms(machine: Machine, folder: string): Promise<Planted> {
  const trace = join(folder, "..", "trace.txt");
  mkdirSync(folder, { recursive: true });
  const [first = "", ...others] = NAMES.map((name) => join(folder, machine.isLinux ? name : `${name}.exe`));
  if (machine.isLinux) {
    writeFileSync(first, `#!/bin/sh\necho "$0" >> '${trace}'\n`);
    chmodSync(first, 0o755);
  } else await compileTracer(first, machine.toPath(trace));
  for (const other of others) linkSync(first, other);
  return {
    folder,
    program: first,
    takeTrace() {
      const text = existsSync(trace) ? readFileSync(trace, "utf8") : "";
      rmSync(trace, { force: true });
      const names = text.split(/\r?\n/).filter(Boolean);
      return names.map((name) => name.replace(/^.*[\\/]|\.exe$/g, "")).join("\n") || "none";
    },
  };
}

/** Compiles a Windows program that appends its name to a file. */
const compileTracer = (outfile: string, trace: string): Promise<void> =>
  withWorkshop(join(outfile, ".."), async (shop) => {
    const entrypoint = join(shop.folder, "tracer.ts");
    writeFileSync(
      entrypoint,
      `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(trace)}, process.execPath + "\\n");`,
    );
    const target = "bun-windows-x64";
    await Bun.build({
      entrypoints: [entrypoint],
      compile: { target, outfile, executablePath: await prepareRuntime(target, shop) },
    });
  });
