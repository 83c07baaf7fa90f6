import { describe, expect, test } from "bun:test";
import { parsePatch, renderPatch } from "../../../src/protocol/patch.ts";

describe("a patch of codex", () => {
  const patch = `*** Begin Patch
*** Add File: new.txt
+a
+*** Delete File: not-a-header
*** Update File: old.txt
*** Move to: moved.txt
@@ class A
 keep
-one
+two
@@
+end
*** Delete File: gone.txt
*** End Patch
`;
  const files = [
    {
      file_path: "new.txt",
      operation: "add",
      edits: [{ old_string: "", new_string: "a\n*** Delete File: not-a-header\n" }],
    },
    {
      file_path: "old.txt",
      operation: "move",
      moved_to: "moved.txt",
      edits: [
        { old_string: "keep\none\n", new_string: "keep\ntwo\n", anchor: "class A" },
        { old_string: "", new_string: "end\n" },
      ],
    },
    { file_path: "gone.txt", operation: "delete", edits: [] },
  ];
  test("is parsed with add, update, move and delete", () => expect(parsePatch(patch)).toEqual(files as never));
  test("is parsed with CRLF in a here-document", () => {
    expect(parsePatch(`apply_patch <<'EOF'\r\n${patch.replaceAll("\n", "\r\n")}EOF`)).toEqual(files as never);
  });
  test("is parsed with a header that Codex would trim", () => {
    expect(
      parsePatch("*** Begin Patch\n*** Add File: ok\n+x\n   *** Delete File: .env  \n*** End Patch").map(
        (file) => file.file_path,
      ),
    ).toEqual(["ok", ".env"]);
  });
  test("is parsed with headers after whitespace that only some languages trim", () => {
    for (const space of ["\u0085", "\u2028", "\u00a0", "\ufeff", "\r"]) {
      const patch = `*** Begin Patch\n*** Add File: ok\n+x\n${space}*** Delete File: .env\n*** End Patch`;
      expect(parsePatch(patch).map((file) => file.file_path)).toEqual(["ok", ".env"]);
    }
    expect(parsePatch("*** Begin Patch\n*** Add File: a\u2028b/../.env\n+x\n*** End Patch")[0]?.file_path).toEndWith(
      ".env",
    );
  });
  test("is parsed back from its rendered form", () =>
    expect(parsePatch(renderPatch(files as never))).toEqual(files as never));
});
