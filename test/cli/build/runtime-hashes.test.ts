import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compressGzip, createTar } from "../../../release/archive.ts";
import { RUNTIME_HASHES, RUNTIME_VERSION } from "../../../src/cli/build/runtime-hashes.ts";
import { detectTarget } from "../../../src/operate/executable/image.ts";
import { ROOT } from "../../support/fixtures.ts";
import { GOOD_HOOK, runBuild } from "./project-support.ts";

test("the hashes belong to the Bun version that package-lock.json pins, which is this one", () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  expect([packages["node_modules/bun"].version, Bun.version]).toEqual([RUNTIME_VERSION, RUNTIME_VERSION]);
  const own = new Bun.CryptoHasher("sha256").update(readFileSync(process.execPath)).digest("hex");
  expect(RUNTIME_HASHES[detectTarget()]).toBe(own);
});

/** A package that the forged registry returns for every request. */
const forged = compressGzip(
  createTar([{ path: "package/bin/bun", content: "not Bun's runtime", mode: 0o755 }], { time: 0 }),
);
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 255,
  fetch: () => new Response(Buffer.from(forged)),
});
afterAll(() => server.stop(true));

test("a runtime that the registry forged is not compiled in", async () => {
  const env = { npm_config_registry: server.url.href };
  const { code, stdout, stderr } = await runBuild({ "a.ts": GOOD_HOOK }, ["--target", "darwin-arm64", "--no-check"], {
    env,
  });
  expect([code, stdout, stderr]).toEqual([
    1,
    "",
    expect.stringMatching(
      /Bun's runtime for darwin-arm64 from the npm registry at \S+ differs from Bun's release \(SHA-256 [0-9a-f]{64}\)/,
    ),
  ]);
});
