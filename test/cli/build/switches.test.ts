import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuildTarget } from "../../../src/operate/executable/image.ts";
import { prepareRuntime } from "../../../src/cli/build/prepare-runtime.ts";
import { withWorkshop } from "../../../src/cli/build/workshop.ts";
import { hardenRuntime } from "../../../src/operate/executable/runtime.ts";
import { LIBRARY_SWITCHES, RUNTIME_SWITCHES } from "../../../src/operate/executable/switches.ts";
import { BUILD_MS, placeExecutable } from "../../support/executables.ts";
import { getPayload } from "../../support/fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-switches-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Machine code in which Bun compares a name with `BUN_JSC_`. Images without it are rejected. */
const ENGINE = [..."BUN_JSC_"]
  .map((letter, at) => `\x80\x7e${String.fromCharCode(at)}${letter}`.replace("\x7e\0", "\x3e"))
  .join("\x75\x01");

function hardened(text: string): string {
  const image = Buffer.from(text + ENGINE, "latin1");
  hardenRuntime(image);
  return image.toString("latin1", 0, text.length);
}

describe("variable names that don't belong to Bun", () => {
  test("are changed as a whole, and as a prefix of a name", () => {
    const names = "\0SIMDUTF_FORCE_IMPLEMENTATION\0JSC_useJIT\0JavaScriptCoreUseJIT\0TMPDIR\0";
    expect(hardened(names)).toBe("\0ÿIMDUTF_FORCE_IMPLEMENTATION\0ÿSC_useJIT\0ÿavaScriptCoreUseJIT\0TMPDIR\0");
  });
  test("are unchanged at the end of another name", () => {
    expect(hardened("\0LD_LIBRARY_PATH\0MY_ICU_DATA\0")).toBe("\0LD_LIBRARY_PATH\0MY_ICU_DATA\0");
  });
  test("become names that no variable can have on Windows, in any code page", () => {
    expect(hardened("MZ\0SIMDUTF_FORCE_IMPLEMENTATION\0mimalloc_\0")).toBe(
      "MZ\0\0IMDUTF_FORCE_IMPLEMENTATION\0m=malloc_\0",
    );
  });
  test("are changed in UTF-16 only in an executable for Windows", () => {
    const wide = (text: string) => Buffer.from(text, "utf16le").toString("latin1");
    expect(hardened(wide("BUN_WATCHER_CHILD"))).toBe(`ÿØ${wide("UN_WATCHER_CHILD")}`);
    const library = `MZ${wide("\0JSC_useJIT\0MY_ICU_DATA\0mimalloc_x\0TMPDIR\0")}`;
    expect(hardened(library)).toBe(
      `MZ${wide("\0")}ÿØ${wide("SC_useJIT\0MY_ICU_DATA\0")}ÿØ${wide("imalloc_x\0TMPDIR\0")}`,
    );
    // On other systems, two bytes per character don't count as a string.
    expect(hardened(library.replace("MZ", "ME"))).toBe(library.replace("MZ", "ME"));
    expect(() => hardened(wide("BUN_LOAD_FOREIGN_CODE"))).toThrow("unreviewed switches (BUN_LOAD_FOREIGN_CODE)");
  });
});

test("every decision about a variable can apply, and has a reason", () => {
  for (const table of [RUNTIME_SWITCHES, LIBRARY_SWITCHES]) {
    for (const [at, [name, , why]] of table.entries()) {
      expect([name, why.length > 0]).toEqual([name, true]);
      expect(table.slice(0, at).filter(([earlier]) => name.startsWith(earlier))).toEqual([]);
    }
  }
});

for (const target of ["bun-linux-x64", "bun-darwin-x64", "bun-windows-x64"] satisfies BuildTarget[]) {
  test(`in the runtime for ${target.slice(4)}, no name of a disabled variable is left`, async () => {
    let image: Buffer;
    try {
      image = await withWorkshop(folder, async (shop) => readFileSync(await prepareRuntime(target, shop)));
    } catch (error) {
      if (!String(error).includes("could not be downloaded")) throw error;
      return console.warn(`skipped: ${(error as Error).message}`);
    }
    const text = image.toString("latin1");
    const off = LIBRARY_SWITCHES.filter(([, decision]) => decision === "off").map(([name]) => name);
    expect(text.match(new RegExp(`(?<!\\w)(?:${off.join("|")})\\w*`))?.[0]).toBeUndefined();
    const names = [...off, ...RUNTIME_SWITCHES.flatMap(([name, decision]) => (decision === "off" ? [name] : []))];
    const isWideName = (name: string) => image.includes(Buffer.from(name, "utf16le"));
    if (target.includes("windows")) {
      expect(names.filter(isWideName)).toEqual([]);
      expect(names.filter((name) => isWideName(name.slice(1)))).toEqual(["BUN_FEATURE_FLAG_", "BUN_WATCHER_CHILD"]);
    }
    // In each name, only the first byte was overwritten.
    expect(off.filter((name) => text.includes(name.slice(1))).length).toBeGreaterThan(12);
  });
}

/** A library that records which environment variables a program reads. */
const SPY = `
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
extern char **environ;
static char *find(const char *name) {
  size_t length = strlen(name);
  for (char **at = environ; at && *at; at++) if (!strncmp(*at, name, length) && (*at)[length] == '=') return *at + length + 1;
  return 0;
}
static char *asked(const char *name) {
  char *path = find("SPY_LOG");
  int log = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (log >= 0) { write(log, name, strlen(name)); write(log, "\\n", 1); close(log); }
  return find(name);
}
char *getenv(const char *name) { return asked(name); }
char *secure_getenv(const char *name) { return asked(name); }
`;

const compiler = Bun.which("gcc") ?? Bun.which("cc");
const spies = process.platform === "linux" && compiler !== null;

describe.skipIf(!spies)(
  `every variable that the runtime reads has a decision${spies ? "" : " (skipped: there is no C compiler)"}`,
  () => {
    const [library, executable] = [join(folder, "spy.so"), join(folder, "busy")];
    beforeAll(async () => {
      writeFileSync(join(folder, "spy.c"), SPY);
      expect(
        Bun.spawnSync([compiler as string, "-shared", "-fPIC", "-w", "-o", library, join(folder, "spy.c")]).exitCode,
      ).toBe(0);
      await placeExecutable("test/cli/build/good-hook", executable);
    }, BUILD_MS);

    /** Lists the environment variables that are read during a run. */
    function asked(args: string[], input: string): { names: string[]; stdout: string } {
      const log = join(folder, `${args[0]}.log`);
      const env = { PATH: process.env.PATH, HOME: folder, LD_PRELOAD: library, SPY_LOG: log };
      const { stdout } = Bun.spawnSync([executable, ...args], {
        cwd: folder,
        env,
        stdin: Buffer.from(input),
        stderr: "ignore",
      });
      const names = readFileSync(log, "latin1").split("\n").filter(Boolean);
      return { names: [...new Set(names)].sort(), stdout: stdout.toString() };
    }
    const decided = (name: string) =>
      [...RUNTIME_SWITCHES, ...LIBRARY_SWITCHES].some(([known]) => name.startsWith(known));
    /** The runtime looks up an overwritten name, including its new first byte. */
    const isOff = (name: string) => name.startsWith("\xff");
    const payload = getPayload("claude", "PreToolUse-Bash");
    const call = JSON.stringify({ ...payload, tool_input: { command: "busy" } });

    const runs: [name: string, args: string[], input: string, answer: string, least: number][] = [
      ["on a call", ["--host", "claude"], call, "busy", 60],
      ["in serve", ["serve", "--host", "claude"], `{"id":1,"payload":${call}}\n`, "busy", 40],
    ];
    for (const [name, args, input, answer, least] of runs) {
      test(name, () => {
        const { names, stdout } = asked(args, input);
        expect(stdout).toContain(answer);
        expect(names.length).toBeGreaterThan(least);
        expect(names.filter((one) => !isOff(one) && !decided(one))).toEqual([]);
        const off = [...RUNTIME_SWITCHES, ...LIBRARY_SWITCHES].filter(([, decision]) => decision === "off");
        expect(names.filter((one) => off.some(([known]) => one.startsWith(known)))).toEqual([]);
      });
    }
  },
);
