import { afterAll, describe, expect, test } from "bun:test";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openLinuxDescriptors, openModuleDescriptors } from "../../src/system/descriptors.ts";
import { checkPath, getFolder, joinSteps, pathExists } from "../../src/system/file-checks.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-checks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inside = (name: string) => join(folder, name);
writeFileSync(inside("file"), "text");
symlinkSync(inside("file"), inside("link"));
symlinkSync(inside("nothing"), inside("dangling"));
symlinkSync(inside("loop"), inside("loop"));

const PATHS = ["/", "/a", "/a/b", "/a/b/", "/a//b", "/a/./b", "/a/../b", "/..", "/.a/b", "/a/...", "a/b", "a", "."];

test("paths are joined and split like in node:path", () => {
  expect(PATHS.map((path) => joinSteps(path, [".config", "x.json"]))).toEqual(
    PATHS.map((path) => join(path, ".config", "x.json")),
  );
  expect(PATHS.map(getFolder)).toEqual(PATHS.map(dirname));
});

/** Returns what node:fs says about a path. */
function checkByModule(path: string): ReturnType<typeof checkPath> {
  try {
    return statSync(path, { throwIfNoEntry: false }) ? "there" : "absent";
  } catch (error) {
    // Nothing can exist below a file.
    return (error as NodeJS.ErrnoException).code === "ENOTDIR" ? "absent" : "unknown";
  }
}

test("a path exists, is absent or is unknown as node:fs reports", () => {
  const names = ["file", "link", "dangling", "loop", "nothing", "file/below", "", "x".repeat(300), "nul\0byte"];
  const paths = names.map((name) => `${folder}/${name}`);
  expect(paths.map(pathExists)).toEqual(paths.map((path) => existsSync(path)));
  expect(paths.map(checkPath)).toEqual(paths.map(checkByModule));
  expect(checkPath(inside("loop"))).toBe("unknown");
});

describe("file descriptors are written, read, inspected and closed alike by", () => {
  for (const [name, open] of Object.entries({ openLinuxDescriptors, openModuleDescriptors }))
    test.skipIf(name === "openLinuxDescriptors" && process.platform !== "linux")(name, () => {
      const use = open();
      if (!use) throw new Error("the engine may not make code here");
      const fd = openSync(inside(name), "w+");
      expect(use.write(fd, new TextEncoder().encode("hello"))).toBe(5);
      expect(use.write(fd, new Uint8Array())).toBe(0);
      expect(use.inspect(fd).size).toBe(5);
      const bytes = new Uint8Array(4);
      expect([use.readFrom(fd, bytes, 2), new TextDecoder().decode(bytes)]).toEqual([3, "llo\0"]);
      closeSync(fd);
      const empty = use.openNull();
      expect(use.read(empty, bytes, 1)).toBe(0);
      expect(use.inspect(empty).rdev).toBe(statSync("/dev/null").rdev);
      use.close(empty);
      expect(() => use.write(empty, bytes)).toThrow(expect.objectContaining({ code: "EBADF" }));
      expect(() => use.close(empty)).toThrow(expect.objectContaining({ code: "EBADF" }));
    });
});
