import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable } from "../../../src/cli/build/build.ts";
import { type BuildTarget, prepareRuntime } from "../../../src/cli/build/image.ts";
import { withWorkshop } from "../../../src/cli/build/workshop.ts";
import { hardenRuntime } from "../../../src/cli/build/runtime.ts";
import { LIBRARY_SWITCHES, RUNTIME_SWITCHES } from "../../../src/cli/build/switches.ts";
import { getPayload } from "../../support/fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-switches-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bun's comparison of BUN_JSC_, without which an image is not taken. */
const ENGINE = [..."BUN_JSC_"]
  .map((letter, at) => `\x80\x7e${String.fromCharCode(at)}${letter}`.replace("\x7e\0", "\x3e"))
  .join("\x75\x01");

function hardened(text: string): string {
  const image = Buffer.from(text + ENGINE, "latin1");
  hardenRuntime(image);
  return image.toString("latin1", 0, text.length);
}

describe("names that are not the runtime's own", () => {
  test("are off as a whole, and as the beginning of a name", () => {
    const names = "\0SIMDUTF_FORCE_IMPLEMENTATION\0JSC_useJIT\0JavaScriptCoreUseJIT\0TMPDIR\0";
    expect(hardened(names)).toBe("\0ÿIMDUTF_FORCE_IMPLEMENTATION\0ÿSC_useJIT\0ÿavaScriptCoreUseJIT\0TMPDIR\0");
  });
  test("stay where they are the end of another", () => {
    expect(hardened("\0LD_LIBRARY_PATH\0MY_ICU_DATA\0")).toBe("\0LD_LIBRARY_PATH\0MY_ICU_DATA\0");
  });
  test("leave no letter of a code page on Windows, nor a name that a variable could have", () => {
    expect(hardened("MZ\0SIMDUTF_FORCE_IMPLEMENTATION\0mimalloc_\0")).toBe(
      "MZ\0\0IMDUTF_FORCE_IMPLEMENTATION\0m=malloc_\0",
    );
  });
  test("UTF-16 counts, as Windows has it", () => {
    const wide = (text: string) => Buffer.from(text, "utf16le").toString("latin1");
    expect(hardened(wide("BUN_WATCHER_CHILD"))).toBe(`ÿØ${wide("UN_WATCHER_CHILD")}`);
    const library = `MZ${wide("\0JSC_useJIT\0MY_ICU_DATA\0mimalloc_x\0TMPDIR\0")}`;
    expect(hardened(library)).toBe(
      `MZ${wide("\0")}ÿØ${wide("SC_useJIT\0MY_ICU_DATA\0")}ÿØ${wide("imalloc_x\0TMPDIR\0")}`,
    );
    // Elsewhere two bytes for a letter are no text.
    expect(hardened(library.replace("MZ", "ME"))).toBe(library.replace("MZ", "ME"));
    expect(() => hardened(wide("BUN_LOAD_FOREIGN_CODE"))).toThrow("nobody has decided about (BUN_LOAD_FOREIGN_CODE)");
  });
});

test("every decision can be reached, and has a reason", () => {
  for (const table of [RUNTIME_SWITCHES, LIBRARY_SWITCHES]) {
    for (const [at, [name, , why]] of table.entries()) {
      expect([name, why.length > 0]).toEqual([name, true]);
      expect(table.slice(0, at).filter(([earlier]) => name.startsWith(earlier))).toEqual([]);
    }
  }
});

for (const target of ["bun-linux-x64", "bun-darwin-x64", "bun-windows-x64"] satisfies BuildTarget[]) {
  test(`in the runtime for ${target.slice(4)}, no name that is off is left`, async () => {
    let image: Buffer;
    try {
      image = await withWorkshop(folder, async (shop) => readFileSync(await prepareRuntime(target, shop)));
    } catch (error) {
      if (!String(error).includes("could not be fetched")) throw error;
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
    // Where a name was, the rest of it still is.
    expect(off.filter((name) => text.includes(name.slice(1))).length).toBeGreaterThan(12);
  });
}

/** A library that writes down what a program asks the environment for. */
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

/** A hook that does what hooks do, so that the runtime looks up what it looks up for that. */
const BUSY = `import { defineHook, deny, git, paths, state } from "bridge-hooks";
import { dlopen } from "bun:ffi";
import { Database } from "bun:sqlite";
import { promises } from "node:dns";
import { tmpdir, userInfo } from "node:os";
import { runInNewContext } from "node:vm";

export default defineHook({ event: "PreToolUse", async handler(event) {
  dlopen("libc.so.6", { getpid: { args: [], returns: "i32" } }).symbols.getpid();
  const worker = new Worker(URL.createObjectURL(new Blob(["postMessage(1)"], { type: "application/javascript" })));
  await new Promise((done) => { worker.onmessage = done; setTimeout(done, 1_000); });
  const server = Bun.serve({ port: 0, fetch: () => new Response("x") });
  await (await fetch(server.url)).text();
  await fetch("https://127.0.0.1:9/").catch(() => {});
  server.stop(true);
  await promises.lookup("localhost");
  Bun.spawnSync(["true"]);
  await Bun.$\`true\`.quiet();
  new Database(":memory:").query("select 1").all();
  runInNewContext("1", {}, { timeout: 100 });
  console.table([{ user: userInfo().username, folder: tmpdir(), day: new Date().toLocaleString() }]);
  git({ cwd: process.cwd() })?.dirty;
  paths(event);
  state(event);
  for (let at = 0, sum = 0; at < 3e6; at++) sum += at % 7;
  return deny("busy");
} });
`;

const compiler = Bun.which("gcc") ?? Bun.which("cc");
const spies = process.platform === "linux" && compiler !== null;

describe.skipIf(!spies)(`what the runtime asks for${spies ? "" : " (skipped: there is no C compiler)"}`, () => {
  const [library, executable] = [join(folder, "spy.so"), join(folder, "busy")];
  beforeAll(async () => {
    mkdirSync(join(folder, "hooks"));
    writeFileSync(join(folder, "spy.c"), SPY);
    writeFileSync(join(folder, "hooks", "busy.ts"), BUSY);
    expect(
      Bun.spawnSync([compiler as string, "-shared", "-fPIC", "-w", "-o", library, join(folder, "spy.c")]).exitCode,
    ).toBe(0);
    await buildExecutable({ hooks: join(folder, "hooks"), outfile: executable });
  }, 600_000);

  /** The names that a run asks for. */
  function asked(args: string[], input: string): { names: string[]; stdout: string } {
    const log = join(folder, `${args[0]}.log`);
    const env = { PATH: process.env.PATH, HOME: folder, LD_PRELOAD: library, SPY_LOG: log };
    const { stdout } = Bun.spawnSync([executable, ...args], {
      cwd: folder,
      env,
      stdin: Buffer.from(input),
      stderr: "ignore",
      timeout: 30_000,
    });
    const names = readFileSync(log, "latin1").split("\n").filter(Boolean);
    return { names: [...new Set(names)].sort(), stdout: stdout.toString() };
  }
  const decided = (name: string) =>
    [...RUNTIME_SWITCHES, ...LIBRARY_SWITCHES].some(([known]) => name.startsWith(known));
  /** What was overwritten is asked for with its new first byte. */
  const isOff = (name: string) => name.startsWith("\xff");
  const call = JSON.stringify(getPayload("claude", "PreToolUse-Bash"));

  const runs: [name: string, args: string[], input: string, answer: string, least: number][] = [
    ["a hook call", ["--host", "claude"], call, '"permissionDecision":"deny"', 60],
    ["serve", ["serve", "--host", "claude"], `{"id":1,"payload":${call}}\n`, '"exit_code":2', 40],
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
});
