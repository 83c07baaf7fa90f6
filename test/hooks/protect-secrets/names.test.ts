import { describe, expect, test } from "bun:test";
import { createPathCheck } from "../../../hooks/_secrets/files.ts";
import { mayConcernSecrets } from "../../../hooks/_secrets/hints.ts";

const check = createPathCheck({ allow: [], deny: ["caf\u00e9*.txt"] }, { cwd: "/srv/app", root: "/srv/app" });

describe("other names for a file of secrets", () => {
  test.each([
    "C:\\Users\\me\\.ssh\\id_rsa.",
    "C:\\Users\\me\\.ssh::$INDEX_ALLOCATION\\id_rsa",
    "C:\\app\\.env::$DATA",
    "C:\\app\\.env ",
    "C:\\app\\server.pem. .",
    "\\\\?\\C:\\app\\credentials.json:x",
    "C:\\app\\.x\\..\\.env",
  ])("Windows: %s", (path) => expect(check.isNamedSecret(path)).toBe(true));
  test.each(["/u/.\u017f\u017fh/id_ed25519", "/u/id_r\u017fa", "/u/\u212aeys/server.\u212aey", "/u/.e\u200cnv"])(
    "macOS: %s",
    (path) => expect(check.isNamedSecret(path)).toBe(true),
  );
  test("a person's own glob, in either normal form", () => {
    for (const path of ["/srv/app/caf\u00e9-1.txt", "/srv/app/CAFE\u0301-1.txt"])
      expect([path, check.isNamedSecret(path)]).toEqual([path, true]);
  });
  test("none of them makes a secret of another name", () => {
    for (const path of [
      "C:\\app\\env.",
      "C:\\app\\x.pub:id",
      "/u/id_r\u015fa",
      "/u/readme.md.",
      "C:\\app\\.env.example",
    ])
      expect([path, check.isNamedSecret(path)]).toEqual([path, false]);
  });
  test("a line with one is looked at", () => {
    for (const line of ["cat ~/.\u017f\u017fh/x", "cat id_r\u017fa", "tail 'server.\u212aey'"])
      expect([line, mayConcernSecrets(line, "/srv/app", [])]).toEqual([line, true]);
    expect(mayConcernSecrets("cat größe.txt", "/srv/app", [])).toBe(false);
  });
});
