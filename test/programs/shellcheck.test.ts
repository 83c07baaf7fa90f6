import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildMdmFiles } from "../../src/operate/mdm/mdm.ts";
import { hosts } from "../../src/hosts/index.ts";
import { ROOT } from "../support/fixtures.ts";
import { createPackOrder } from "../support/pack-orders.ts";
import { findProgram } from "./programs.ts";

const program = findProgram("shellcheck");
const SHIPPED = [
  "release/scripts/install.sh",
  "release/action/check.sh",
  "release/macos/make-pkg.sh",
  "src/cli/init/template/policy/check.txt",
];

describe.skipIf(!program)(
  program ? "ShellCheck" : "ShellCheck (skipped: not installed; `npm run programs` downloads it)",
  () => {
    const check = (text: string): string => {
      const argv = [program?.path ?? "", "--norc", "-"];
      const env = { PATH: process.env.PATH ?? "", ...program?.env };
      return Bun.spawnSync(argv, { stdin: Buffer.from(text), env }).stdout.toString();
    };
    test("finds no problem in a pack's shell scripts", async () => {
      const config = { bytes: Buffer.from("{}"), hash: "0", modes: { general: { mode: "enforce" } } } as const;
      const programs = { linux: "/opt/it's here/b", macos: "/opt/it's here/b", windows: "C:\\b.exe" };
      const order = createPackOrder([{ events: ["PreToolUse", "PostToolUse", "Stop"] }], { programs });
      const scripts = (await buildMdmFiles(order, hosts, [], config)).filter(({ path }) => path.endsWith(".sh"));
      expect(scripts.filter(({ path }) => path.endsWith("place-files.sh")).length).toBe(2);
      for (const { path, text } of scripts) expect([path, check(text)]).toEqual([path, ""]);
      expect(scripts.length).toBeGreaterThan(12);
    });
    for (const path of SHIPPED)
      test(`finds no problem in ${path}`, () => expect(check(readFileSync(join(ROOT, path), "utf8"))).toBe(""));
  },
);
