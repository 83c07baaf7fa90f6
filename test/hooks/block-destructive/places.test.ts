import { expect, test } from "bun:test";
import fc from "fast-check";
import { DATA_FOLDER, hasSystemRootSegment, SYSTEM_FOLDER } from "../../../hooks/_destructive/places.ts";
import { SYSTEM_FILES } from "../../../hooks/_destructive/precious-files.ts";
import { fuzz } from "../../support/fuzz.ts";

test("hasSystemTop is true for whatever the system directory expressions match", () => {
  for (const { source, flags } of [SYSTEM_FOLDER, DATA_FOLDER, SYSTEM_FILES])
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(source)), (path) => {
        expect([path, hasSystemRootSegment(path)]).toEqual([path, true]);
        if (flags.includes("i")) expect(hasSystemRootSegment(path.toUpperCase())).toBe(true);
      }),
      fuzz(2_000),
    );
});

test("hasSystemTop is false for temporary directories and for names with the same prefix", () => {
  for (const path of ["/tmp/build", "/etcetera/x", "/workspace", "/homes/a"])
    expect(hasSystemRootSegment(path)).toBe(false);
});
