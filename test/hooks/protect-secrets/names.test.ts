import { describe, expect, test } from "bun:test";
import { createPathCheck } from "../../../hooks/_secrets/files.ts";

const check = createPathCheck({ allow: [], deny: ["caf\u00e9*.txt"] }, { cwd: "/srv/app", root: "/srv/app" });

describe("a secret file", () => {
  test.each([
    "C:\\Users\\me\\.ssh\\id_rsa.",
    "C:\\Users\\me\\.ssh::$INDEX_ALLOCATION\\id_rsa",
    "C:\\app\\.env::$DATA",
    "C:\\app\\.env ",
    "C:\\app\\server.pem. .",
    "\\\\?\\C:\\app\\credentials.json:x",
    "C:\\app\\.x\\..\\.env",
  ])("is recognized by its Windows name %s", (path) => expect(check.isNamedSecret(path)).toBe(true));
  test.each(["/u/.\u017f\u017fh/id_ed25519", "/u/id_r\u017fa", "/u/\u212aeys/server.\u212aey", "/u/.e\u200cnv"])(
    "is recognized by its macOS name %s",
    (path) => expect(check.isNamedSecret(path)).toBe(true),
  );
  test("is recognized by a user's glob in either Unicode normalization", () => {
    for (const path of ["/srv/app/caf\u00e9-1.txt", "/srv/app/CAFE\u0301-1.txt"])
      expect([path, check.isNamedSecret(path)]).toEqual([path, true]);
  });
  test("is not confused with files with similar names", () => {
    for (const path of [
      "C:\\app\\env.",
      "C:\\app\\x.pub:id",
      "/u/id_r\u015fa",
      "/u/readme.md.",
      "C:\\app\\.env.example",
    ])
      expect([path, check.isNamedSecret(path)]).toEqual([path, false]);
  });
});
