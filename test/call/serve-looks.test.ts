import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { placeExecutable } from "../support/executables.ts";
import { getPayload } from "../support/fixtures.ts";
import { waitFor } from "../support/machine.ts";

/** The directory's name must not contain the product's name, which would trigger `protect-hooks`. */
const folder = mkdtempSync(join(tmpdir(), "looks-"));
const outfile = await placeExecutable("hooks", join(folder, "starter"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FORCE_PUSH = "cd /tmp && git push --force origin main";
const PARSED = "cd /tmp && git push --force-with-lease && rm -rf ./build";
const PLAIN = "npm test";

/** A resident process with its own home directory and project. */
class Resident {
  readonly home = mkdtempSync(join(folder, "home-"));
  readonly project = join(this.home, "code/app");
  readonly config = join(this.home, ".config/bridge-hooks/config.json");
  readonly #child;
  #count = 0;
  #text = "";
  readonly #reader;

  constructor() {
    for (const path of [join(this.project, ".git"), dirname(this.config)]) mkdirSync(path, { recursive: true });
    this.#child = Bun.spawn([outfile, "serve", "--host", "claude"], {
      ...{ stdin: "pipe", stdout: "pipe", stderr: "inherit", cwd: this.project },
      env: { PATH: process.env.PATH ?? "", HOME: this.home },
    });
    this.#reader = this.#child.stdout.getReader();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Sends commands in a single write. Returns whether each one was denied, in order. */
  async ask(...lines: string[]): Promise<boolean[]> {
    const first = this.#count;
    const requests = lines.map((command) => {
      const payload = getPayload("claude", "PreToolUse-Bash", { tool_input: { command }, cwd: this.project });
      return `${JSON.stringify({ id: this.#count++, payload })}\n`;
    });
    this.#child.stdin.write(requests.join(""));
    this.#child.stdin.flush();
    const denied: boolean[] = [];
    for (let left = lines.length; left > 0; left--) {
      const { id, answer } = JSON.parse(await this.#readLine()) as { id: number; answer: unknown };
      denied[id - first] = JSON.stringify(answer).includes('"deny"');
    }
    return denied;
  }

  async #readLine(): Promise<string> {
    for (;;) {
      const at = this.#text.indexOf("\n");
      if (at >= 0) {
        const line = this.#text.slice(0, at);
        this.#text = this.#text.slice(at + 1);
        return line;
      }
      const { value, done } = await this.#reader.read();
      if (done) throw new Error("it has ended");
      this.#text += new TextDecoder().decode(value);
    }
  }

  countLogLines(): number {
    const file = join(this.home, ".local/state/bridge-hooks/decisions.jsonl");
    return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    expect(await this.#child.exited).toBe(0);
  }
}

describe("the next call to serve notices a change", () => {
  const many = (line: string, count = 16) => Array.from({ length: count }, () => line);

  test("to a config file's rules, settings and modes", async () => {
    const resident = new Resident();
    const write = (config: object) => writeFileSync(resident.config, JSON.stringify(config));
    const expectAll = async (isDenied: boolean) => {
      expect(await resident.ask(FORCE_PUSH)).toEqual([isDenied]);
      expect(await resident.ask(...many(FORCE_PUSH))).toEqual(many("").map(() => isDenied));
    };
    await expectAll(true);
    write({ hooks: { "block-destructive": { allow: ["git push --force origin main"] } } });
    await expectAll(false);
    write({ hooks: { "block-destructive": { allow: ["git push --force origin next"] } } });
    await expectAll(true);
    write({ mode: "observe" });
    await expectAll(false);
    write({ rules: { "git/force-push": { enabled: true } } });
    await expectAll(true);
    write({ rules: { "npm/test": { program: "npm", pattern: "test", reason: "it is slow" } } });
    expect(await resident.ask(PLAIN, ...many(PLAIN))).toEqual([true, ...many("").map(() => true)]);
    rmSync(resident.config);
    await expectAll(true);
    expect(await resident.ask(PLAIN)).toEqual([false]);
    await resident.end();
  });

  test("to a link that now points to a guarded file", async () => {
    const resident = new Resident();
    const line = "cd . && printf x > notes.txt";
    expect(await resident.ask(...many(line))).toEqual(many("").map(() => false));
    mkdirSync(join(resident.home, ".claude"));
    writeFileSync(join(resident.home, ".claude/settings.json"), "{}");
    symlinkSync(join(resident.home, ".claude/settings.json"), join(resident.project, "notes.txt"));
    expect(await resident.ask(...many(line))).toEqual(many("").map(() => true));
    rmSync(join(resident.project, "notes.txt"));
    expect(await resident.ask(line, line)).toEqual([false, false]);
    await resident.end();
  });
});

const canTrace = (() => {
  try {
    return Bun.spawnSync(["strace", "-qq", "-o", "/dev/null", "true"]).success;
  } catch {
    return false;
  }
})();

describe.skipIf(!canTrace)("a warm process (if strace is installed)", () => {
  /** Lists the file-related system calls made from reading the first call to writing the last answer. */
  async function trace(resident: Resident, lines: readonly string[]): Promise<string[]> {
    // Calls are logged in order, after they've been answered.
    const before = resident.countLogLines();
    expect(await resident.ask(FORCE_PUSH)).toEqual([true]);
    // The head of a record is logged before the complete record.
    await waitFor(() => resident.countLogLines() > before + 1, "the log of the calls before");
    const file = join(folder, "trace");
    const names = "trace=read,write,statx,newfstatat,access,faccessat2,openat,open,readlink,readlinkat";
    const tracer = Bun.spawn(["strace", "-f", "-s", "400", "-e", names, "-o", file, "-p", `${resident.pid}`], {
      stderr: "pipe",
    });
    // The tracer prints a message once it's attached.
    await tracer.stderr.getReader().read();
    expect(await resident.ask(...lines)).toEqual(lines.map(() => false));
    tracer.kill("SIGINT");
    await tracer.exited;
    const calls = readFileSync(file, "utf8").split("\n");
    const isTransport = (call: string) => call.includes('"{\\"id\\":');
    return calls
      .slice(calls.findIndex(isTransport), calls.findLastIndex(isTransport))
      .filter((call) => call.includes('"/') && !isTransport(call) && !call.includes("/proc/"));
  }
  const warm = async (config?: object) => {
    const resident = new Resident();
    if (config) writeFileSync(resident.config, JSON.stringify(config));
    for (let at = 0; at < 5; at++) await resident.ask(PARSED, PLAIN);
    return resident;
  };

  test("makes fewer than 260 file-related system calls for a command that needs the parser", async () => {
    const resident = await warm();
    const { length } = await trace(resident, [PARSED]);
    expect(length).toBeGreaterThan(20);
    // Here, the user database names a different home directory, so the 25 paths in that directory are checked as well.
    expect(length).toBeLessThan(260);
    await resident.end();
  });

  test("checks each config file path once for a command that needs the parser", async () => {
    const resident = await warm();
    const looks = await trace(resident, [PARSED]);
    const count = (path: string) =>
      looks.filter((look) => look.includes(`"${path}"`) && look.includes("access")).length;
    expect([count(join(resident.project, ".bridge-hooks.json")), count(resident.config)]).toEqual([1, 1]);
    await resident.end();
  });

  test("makes fewer file-related system calls for 16 concurrent plain commands than for 8 sequential ones", async () => {
    const resident = await warm();
    const { length } = await trace(resident, [PLAIN]);
    expect(length).toBeGreaterThan(5);
    const lines = Array.from({ length: 16 }, () => PLAIN);
    expect((await trace(resident, lines)).length).toBeLessThan(length * 8);
    await resident.end();
  });

  test("opens a config file once per call", async () => {
    const resident = await warm({ hooks: { "block-destructive": { allow: ["git push origin x"] } }, rules: {} });
    for (const [line, most] of [
      // The quick path, the modes and the settings each check whether the file exists.
      [PARSED, 6],
      [PLAIN, 2],
    ] as const) {
      const found = (await trace(resident, [line])).filter((call) => call.includes(resident.config));
      expect(found.filter((call) => /open/.test(call))).toHaveLength(1);
      expect(found.length).toBeLessThanOrEqual(most);
    }
    await resident.end();
  });
});
