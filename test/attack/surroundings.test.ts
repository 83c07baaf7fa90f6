import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getTarget } from "./cases.ts";
import { wrapInShell, forEachAtOnce, runProcess } from "./processes.ts";
import { buildInstalledFlags } from "./properties.ts";
import {
  buildFaultyExecutable,
  removeFolder,
  commandHosts,
  stoppingHosts,
  runDeniedCall,
  findEvent,
  executable,
  folder,
  LIMIT_MS,
  newFolder,
  type Surroundings,
  getSeedText,
  findProblem,
} from "./surroundings.ts";
import { BUILD_MS } from "../support/executables.ts";
import { createTally } from "../support/fuzz.ts";
import { waitFor } from "../support/machine.ts";

const tally = createTally("test/attack/surroundings.test.ts");
beforeAll(buildFaultyExecutable, BUILD_MS);
afterAll(() => {
  removeFolder();
  tally.print();
});

const become = 'exec "$0" "$@"';
const isRoot = process.getuid?.() === 0;

const SURROUNDINGS: Record<string, Surroundings> = {
  "no HOME": { env: () => ({ HOME: undefined, XDG_STATE_HOME: undefined }) },
  "an empty HOME": { env: () => ({ HOME: "", XDG_STATE_HOME: "" }) },
  "a HOME that is a relative path": { env: () => ({ HOME: "home", XDG_STATE_HOME: "state" }) },
  "a missing HOME": {
    env: (state) => ({ HOME: join(state, "gone", "home"), XDG_STATE_HOME: undefined }),
  },
  "a HOME that is a file": { env: () => ({ HOME: "/etc/passwd", XDG_STATE_HOME: undefined }) },
  "an unwritable HOME": { env: () => ({ HOME: "/proc", XDG_STATE_HOME: undefined }) },
  "no variables": { env: () => ({ HOME: undefined, XDG_STATE_HOME: undefined, PATH: undefined }) },
  "a state directory that is a device": { env: () => ({ XDG_STATE_HOME: "/dev/full" }) },
  "a state directory that is a link to itself": {
    env(state) {
      symlinkSync("bridge-hooks", join(state, "bridge-hooks"));
      return {};
    },
  },
  "a world-writable state directory": {
    env(state) {
      mkdirSync(join(state, "bridge-hooks"));
      chmodSync(join(state, "bridge-hooks"), 0o777);
      chmodSync(state, 0o777);
      return {};
    },
  },
  "another user's state directory": {
    env(state) {
      mkdirSync(join(state, "bridge-hooks"), { mode: 0o500 });
      // Only root can change a directory's owner. Other users get a directory without write permission.
      if (isRoot) chownSync(join(state, "bridge-hooks"), 12_345, 12_345);
      return {};
    },
  },
  "a file in place of the counts": {
    env(state) {
      mkdirSync(join(state, "bridge-hooks"));
      writeFileSync(join(state, "bridge-hooks", "continuations"), "");
      return {};
    },
  },
  "a deleted working directory": { line: `cd "$(mktemp -d)" && rmdir "$PWD"; ${become}`, may_not_start: true },
  "closed stdout": { line: `${become} >&-`, deaf: true },
  "stdout that rejects writes": { line: `${become} >/dev/full`, deaf: true },
  "closed stderr": { line: `${become} 2>&-`, deaf: true },
  "stderr that rejects writes": { line: `${become} 2>/dev/full`, deaf: true },
  "stdout and stderr that reject writes": { line: `${become} >/dev/full 2>&1`, deaf: true },
  "closed stdin": { line: `${become} <&-` },
  "30 descriptors": { line: `ulimit -n 30; ${become}` },
  "12 descriptors": { line: `ulimit -n 12; ${become}` },
  "a small stack": { line: `ulimit -s 256; ${become}` },
  "files that can't grow": { line: `ulimit -f 0; ${become}` },
  "one second of CPU time": { line: `ulimit -t 1; ${become}` },
  "no core files": { line: `ulimit -c 0; ${become}` },
};

describe.skipIf(process.platform === "win32")("a denial is enforced and Stop is answered with", () => {
  for (const [name, surroundings] of Object.entries(SURROUNDINGS)) {
    test(name, async () => {
      const wrong: string[] = [];
      const calls = commandHosts.flatMap((target) => [
        { target, native_event: findEvent(target, "PreToolUse"), wanted: "denied" as const },
        ...(stoppingHosts.includes(target)
          ? [{ target, native_event: findEvent(target, "Stop"), wanted: undefined }]
          : []),
      ]);
      await forEachAtOnce(calls, async ({ target, native_event, wanted }) => {
        tally.count();
        const ended = await runDeniedCall(target, native_event, surroundings, newFolder());
        const lost = surroundings.deaf && ended.exit_code === 2;
        const absent =
          surroundings.may_not_start && ended.exit_code === 1 && ended.stdout === "" && ended.stderr !== "";
        if (ended.ms < LIMIT_MS && (lost || absent)) return;
        const why = await findProblem(target, native_event, ended, wanted);
        if (why !== undefined) wrong.push(`${target.host.id} ${native_event}: ${why}`);
      });
      expect(wrong).toEqual([]);
    });
  }

  test("little memory, or the process ends with an error that hosts report", async () => {
    for (const kilobytes of [200_000, 1_000_000, 4_000_000]) {
      for (const target of commandHosts) {
        const native_event = findEvent(target, "PreToolUse");
        tally.count();
        const ended = await runDeniedCall(
          target,
          native_event,
          { line: `ulimit -v ${kilobytes}; ${become}` },
          newFolder(),
        );
        const started = ended.exit_code === 0 || ended.exit_code === 2 || ended.stdout !== "";
        if (started) expect(await findProblem(target, native_event, ended, "denied")).toBeUndefined();
        expect(ended.ms).toBeLessThan(LIMIT_MS);
      }
    }
  });
});

const mounts = Bun.spawnSync(["unshare", "-rm", "true"], { stderr: "ignore" }).success;
if (!mounts) console.log("a full disk is not tried: no file system can be mounted here");
test.skipIf(!mounts)("a denial is enforced and Stop is answered with a full disk", async () => {
  for (const target of commandHosts) {
    for (const event of stoppingHosts.includes(target) ? ["PreToolUse", "Stop"] : ["PreToolUse"]) {
      const native_event = findEvent(target, event);
      const state = newFolder();
      const full = `mount -t tmpfs -o size=4k none "${state}" && { cat /dev/zero >"${state}/rest" 2>/dev/null; ${become}; }`;
      const ended = await runProcess({
        argv: [
          "unshare",
          "-rm",
          ...wrapInShell(full, [executable, ...buildInstalledFlags(target, native_event, "deny")]),
        ],
        stdin: getSeedText(target, native_event),
        cwd: folder,
        env: { PATH: process.env.PATH ?? "", HOME: state, XDG_STATE_HOME: state, ATTACK_DENIER: "before" },
        limit_ms: LIMIT_MS,
      });
      tally.count();
      expect(await findProblem(target, native_event, ended, event === "Stop" ? undefined : "denied")).toBeUndefined();
    }
  }
});

describe.skipIf(process.platform === "win32")("a resident process whose executable is replaced", () => {
  const others: Record<string, (path: string) => void> = {
    "by another executable": (path) => {
      copyFileSync(executable, `${path}.new`);
      renameSync(`${path}.new`, path);
    },
    "by garbage": (path) => {
      writeFileSync(`${path}.new`, "#!/bin/false\n", { mode: 0o755 });
      renameSync(`${path}.new`, path);
    },
    "by nothing": (path) => rmSync(path),
  };
  for (const [name, replace] of Object.entries(others)) {
    test(`${name} denies the calls already read, then ends`, async () => {
      const own = join(folder, "own");
      copyFileSync(executable, own);
      const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: newFolder(), ATTACK_DENIER: "before" };
      const child = Bun.spawn([own, "serve"], { cwd: folder, env, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
      const target = getTarget("claude");
      const payload = getSeedText(target, "PreToolUse");
      const argv = buildInstalledFlags(target, "PreToolUse", "deny");
      const ask = (id: number) => {
        tally.count();
        child.stdin.write(`${JSON.stringify({ id, argv, payload })}\n`);
        return child.stdin.flush();
      };
      let stdout = "";
      const output = child.stdout.pipeTo(
        new WritableStream({ write: (chunk) => void (stdout += Buffer.from(chunk).toString()) }),
      );
      await ask(1);
      await waitFor(() => stdout.includes("\n"), "the answer to the first call");
      replace(own);
      // The process checks its file at most once a second, so it may answer more calls before noticing the change.
      for (let id = 2; child.exitCode === null; id++) {
        // Writing a line that the process no longer reads can break the pipe.
        await Promise.resolve()
          .then(() => ask(id))
          .catch(() => {});
        await Bun.sleep(20);
      }
      expect(await child.exited).toBe(0);
      await output;
      const lines = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(lines.length).toBeGreaterThan(1);
      expect(lines.map(({ id, exit_code }) => [id, exit_code])).toEqual(lines.map((_, at) => [at + 1, 2]));
      rmSync(own, { force: true });
    });
  }
});
