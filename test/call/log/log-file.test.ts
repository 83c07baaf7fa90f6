import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { BACKGROUND_FILES } from "../../../src/call/log/background-files.ts";
import { appendChainedLine } from "../../../src/call/log/log-chain.ts";
import { appendLine, type LogTarget, MAX_FILE_BYTES, MAX_FULL_FILES } from "../../../src/call/log/log-file.ts";
import { type LogFileSystem, BLOCKING_FILE_SYSTEM } from "../../../src/call/log/log-files.ts";
import { createHome, folder, getHomeLog } from "./log-support.ts";

const SYSTEMS: readonly [string, LogFileSystem][] = [
  ["waiting", BLOCKING_FILE_SYSTEM],
  ["in the background", BACKGROUND_FILES],
];
const createTarget = (files: LogFileSystem = BLOCKING_FILE_SYSTEM): LogTarget => ({
  file: getHomeLog(createHome()),
  files,
  retainDays: 30,
});
const list = ({ file }: LogTarget) => readdirSync(dirname(file)).sort();
const fill = (file: string, text = "x\n") => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text.padStart(MAX_FILE_BYTES, "x"));
};
const DAY_MS = 24 * 60 * 60 * 1000;
const age = (file: string, days: number) => utimesSync(file, new Date(), new Date(Date.now() - days * DAY_MS));

describe.each(SYSTEMS)("the log file, %s,", (_, files) => {
  test("is accessible only to its owner, even after its mode was changed", async () => {
    const target = createTarget(files);
    await appendLine(target, "one");
    chmodSync(target.file, 0o644);
    await appendLine(target, "two");
    expect(readFileSync(target.file, "utf8")).toBe("one\ntwo\n");
    if (process.platform === "win32") return;
    expect([statSync(target.file).mode & 0o777, statSync(dirname(target.file)).mode & 0o777]).toEqual([0o600, 0o700]);
  });
  test("is rotated when it is full, and rotated files that are too old or too many are removed", async () => {
    const target = createTarget(files);
    fill(target.file);
    const numbered = (at: number) => target.file.replace(".jsonl", `-${String(at).padStart(6, "0")}.jsonl`);
    for (let at = 1; at <= MAX_FULL_FILES + 2; at++) writeFileSync(numbered(at), "");
    age(numbered(5), 31);
    await appendLine(target, "new");
    expect(readFileSync(target.file, "utf8")).toBe("new\n");
    expect(statSync(numbered(MAX_FULL_FILES + 3)).size).toBe(MAX_FILE_BYTES);
    expect([1, 2, 3, 4, 5].map((at) => existsSync(numbered(at)))).toEqual([false, false, false, true, false]);
    expect(list(target).length).toBe(MAX_FULL_FILES + 3 - 3 - 1 + 1);
  });
  test("is appended to while another process holds the rotation lock, and rotated once the lock is stale", async () => {
    const target = createTarget(files);
    fill(target.file);
    const lock = target.file.replace(".jsonl", ".lock");
    writeFileSync(lock, "");
    await appendLine(target, "one");
    expect([list(target), readFileSync(target.file, "utf8").slice(-6)]).toEqual([
      ["decisions.jsonl", "decisions.lock"],
      "x\none\n",
    ]);
    age(lock, 1);
    await appendLine(target, "two");
    expect(list(target)).toEqual(["decisions-000001.jsonl", "decisions.jsonl"]);
  });
  test("is not written, moved or waited for if a link, a pipe or a directory is in its place", async () => {
    if (process.platform === "win32") return;
    const other = join(folder, "other.txt");
    const odd: [what: string, make: (file: string) => void][] = [
      ["a pipe without a reader", (file) => Bun.spawnSync(["mkfifo", file])],
      ["a link to a file", (file) => symlinkSync(other, file)],
      ["a dangling link", (file) => symlinkSync(join(folder, "nothing.txt"), file)],
      ["a link to a full disk", (file) => symlinkSync("/dev/full", file)],
      ["a hard link to a file", (file) => linkSync(other, file)],
      ["a folder", (file) => mkdirSync(file)],
    ];
    for (const [what, make] of odd)
      for (const append of [appendLine, (target: LogTarget) => appendChainedLine(target, () => "new")]) {
        const target = createTarget(files);
        fill(other);
        mkdirSync(dirname(target.file), { recursive: true });
        make(target.file);
        const before = lstatSync(target.file).ino;
        await Promise.resolve(append(target, "new")).catch(() => {});
        expect([what, lstatSync(target.file).ino, list(target)]).toEqual([what, before, ["decisions.jsonl"]]);
        expect([what, statSync(other).size, existsSync(join(folder, "nothing.txt"))]).toEqual([
          what,
          MAX_FILE_BYTES,
          false,
        ]);
        rmSync(other);
      }
  });
  test("is not written to if it is a pipe with a reader", async () => {
    if (process.platform === "win32") return;
    const target = createTarget(files);
    mkdirSync(dirname(target.file), { recursive: true });
    Bun.spawnSync(["mkfifo", target.file]);
    // Open the pipe for both reading and writing, so that opening it doesn't block.
    const end = openSync(target.file, constants.O_RDWR | constants.O_NONBLOCK);
    await appendLine(target, "new");
    expect(() => readSync(end, new Uint8Array(9))).toThrow("EAGAIN");
    closeSync(end);
  });
  test("continues its chain after the last chained record, even after a rotation", async () => {
    const target = createTarget(files);
    const add = () => appendChainedLine(target, (link) => JSON.stringify({ ...link }));
    await add();
    await appendLine(target, '{"outside":"\\"seq\\":"}');
    await add();
    fill(target.file, `\n${readFileSync(target.file, "utf8")}`);
    await add();
    await add();
    const lines = readFileSync(target.file, "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([3, 4]);
    expect(JSON.parse(lines[1] as string).prev).toBe(
      new Bun.CryptoHasher("sha256").update(lines[0] as string).digest("hex"),
    );
    expect(list(target)).toEqual(["decisions-000001.jsonl", "decisions.jsonl"]);
  });
});
