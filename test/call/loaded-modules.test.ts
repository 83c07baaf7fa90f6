import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/fixtures.ts";
import { starterBuild } from "./executable-support.ts";

describe("the loaded code", () => {
  const cold = [
    "node_modules/clipanion",
    "node_modules/zod",
    "node_modules/typanion",
    "node_modules/d3-",
    "node_modules/@opentelemetry",
    "src/hosts/setup/",
    "/install.ts",
    "/evidence.json",
    "/native-payloads.ts",
    "/answer-reader.ts",
    "/answer-paths.ts",
    "/answer-values.ts",
    "/read-answers.ts",
    "/samples.ts",
    "src/cli/",
    "src/operate/",
    "src/policy/check/",
    "node_modules/jsonc-parser",
    "node_modules/@valibot/to-json-schema",
    "src/call/identify/own-entry.ts",
    "src/call/ask/stop.ts",
  ];

  /** Lists the modules that one of the starter executable's chunks loads before it runs. */
  function loadedWith(start: string): string[] {
    const { outputs } = starterBuild.metafile;
    const reached = new Set<string>();
    const follow = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === "import-statement") follow(next);
    };
    follow(start);
    return [...reached].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
  }

  test("starts with one chunk for the first stages of a call, which imports nothing", () => {
    const first = Object.values(starterBuild.metafile.outputs).filter(
      ({ inputs }) => "src/call/begin-call.ts" in inputs,
    );
    expect(first.map(({ imports }) => imports.filter(({ kind }) => kind === "import-statement"))).toEqual([[]]);
  });
  test("includes the part of a host that writes its answers, and not the part that parses them", () => {
    const { outputs } = starterBuild.metafile;
    const paths = Object.keys(outputs).filter((path) =>
      Object.keys(outputs[path]?.inputs ?? {}).some((input) => /src\/hosts\/\w+\/index\.ts$/.test(input)),
    );
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) {
      const inputs = loadedWith(path);
      expect(inputs.filter((input) => cold.some((part) => input.includes(part)))).toEqual([]);
      expect(inputs.some((input) => input.endsWith("src/hosts/codec/answer.ts"))).toBe(true);
    }
  });
  test("includes no cold module on the path to an answer", () => {
    const { outputs } = starterBuild.metafile;
    const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint?.endsWith("src/main.ts")) as string;
    const inputs = loadedWith(entry);
    expect(inputs.filter((input) => cold.some((part) => input.includes(part)))).toEqual([]);
    expect(inputs.filter((input) => input.startsWith("hooks/"))).toEqual([]);
    expect(inputs.some((input) => input.endsWith("src/call/begin-call.ts"))).toBe(true);
    // Most calls need neither a host's modules nor any runtime module that's slow to load.
    expect(
      inputs.filter((input) =>
        /^src\/(?:hosts|shell|author)\/|node_modules\/|call\/(?:answer|process\/io|call)\.ts$/.test(input),
      ),
    ).toEqual([]);
    // Each additional module makes a call a tenth slower.
    const modules = outputs[entry]?.imports.filter(({ kind }) => kind === "import-statement");
    expect(modules).toEqual([]);
    const everything = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
    for (const part of [
      "node_modules/clipanion",
      "/install.ts",
      "/evidence.json",
      "src/cli/build/sources.zst",
      "hooks/block-destructive.ts",
    ])
      expect(everything.some((input) => input.includes(part))).toBe(true);
  });
  test("includes no config file reporting where calls read config files", () => {
    const chunks = Object.entries(starterBuild.metafile.outputs).filter(([, { inputs }]) =>
      Object.keys(inputs).some((one) => one.endsWith("src/call/config-modules.ts")),
    );
    expect(chunks.length).toBe(1);
    const inputs = loadedWith(chunks[0]?.[0] ?? "");
    expect(inputs.some((one) => one.endsWith("src/policy/describe.ts"))).toBe(true);
    expect(inputs.filter((one) => cold.some((part) => one.includes(part)))).toEqual([]);
  });
  test("includes no comparison of the user's with the managed file before a session's start needs it", () => {
    const chunks = Object.entries(starterBuild.metafile.outputs).filter(([, { inputs }]) =>
      Object.keys(inputs).some((one) => one.endsWith("src/call/session/policy-gaps.ts")),
    );
    expect(chunks.length).toBe(1);
    const inputs = loadedWith(chunks[0]?.[0] ?? "");
    expect(inputs.filter((one) => /weakened-parts|src\/policy\/check\//.test(one))).toEqual([]);
  });
  test("includes nothing that writes complete log records before one is needed", () => {
    const { outputs } = starterBuild.metafile;
    const [chunk = ""] =
      Object.entries(outputs).find(([, { inputs }]) =>
        Object.keys(inputs).some((one) => one.endsWith("src/call/call.ts")),
      ) ?? [];
    const ours = loadedWith(chunk).filter((input) => input.includes("src/call/log/"));
    expect(ours.map((input) => input.replace(/^.*src/, "src")).sort()).toEqual([
      "src/call/log/call-summary.ts",
      "src/call/log/concluded-call.ts",
      "src/call/log/log-head.ts",
      "src/call/log/log-path.ts",
      "src/call/log/log-settings.ts",
      "src/call/log/log-sources.ts",
    ]);
  });
  test("includes no runtime module on the full path, because node:fs takes longer than all other steps of a small hook's call", () => {
    const { outputs } = starterBuild.metafile;
    const chunk = Object.keys(outputs).find((path) =>
      Object.keys(outputs[path]?.inputs ?? {}).some((one) => one.endsWith("src/call/call.ts")),
    ) as string;
    const own = loadedWith(chunk)
      .map((input) => input.replace(/^.*\bsrc\//, "src/"))
      .filter((input) => /^src\/.*\.ts$/.test(input));
    expect(own).toContain("src/call/process/io.ts");
    const heavy = own.filter((input) =>
      /^import (?!type)[^;]* from "(?:node|bun):/m.test(readFileSync(join(ROOT, input), "utf8")),
    );
    expect(heavy).toEqual([]);
  });
  test("includes no rule examples for a call that a hook with rules judges", () => {
    const chunks = Object.entries(starterBuild.metafile.outputs).filter(([, { inputs }]) =>
      Object.keys(inputs).some((input) => /hooks\/(block-destructive|_destructive\/verdict)\.ts$/.test(input)),
    );
    expect(chunks.length).toBeGreaterThan(1);
    for (const [path] of chunks) {
      const inputs = loadedWith(path);
      expect([
        path,
        inputs.filter((input) => /_destructive\/(rules|containers|git|cloud|system)\.ts$/.test(input)),
      ]).toEqual([path, []]);
    }
  });
  test("includes no editor and no check for a call that searches for the host's own entry", () => {
    const chunks = Object.entries(starterBuild.metafile.outputs).filter(([, { inputs }]) =>
      Object.keys(inputs).some((input) => /hosts\/\w+\/install\.ts$/.test(input)),
    );
    expect(chunks.length).toBeGreaterThan(0);
    for (const [path] of chunks) {
      const heavy = loadedWith(path).filter((input) =>
        /src\/(?:cli|operate)\/|\/(doctor|pack|read-answers|samples|trust)\.(ts|json)$|node_modules\/(?!valibot)/.test(
          input,
        ),
      );
      expect([path, heavy]).toEqual([path, []]);
    }
  });
});
