import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fetchPackages } from "../../release/debian-packages.ts";
import { findProgram } from "../../src/hosts/find-program.ts";
import { detectTarget } from "../../src/operate/executable/image.ts";
import { answerWith, FORGED, packMembers, readServed, type Served, signArchive } from "./forged-releases.ts";
import { makeInstaller, refusal } from "./installer.ts";
import { makeFolder, makeNextRelease, makeSmallRelease, serveFiles, writeKey } from "./support.ts";

const here = detectTarget().slice("bun-".length);
const { folder } = await makeSmallRelease([here]);
const name = `bridge-hooks-0.1.0-${here}`;
const archive = `${name}.tar.gz`;
const right = readServed(folder, archive);
const forgedArchive = packMembers([{ path: `${name}/bridge-hooks`, content: FORGED, mode: 0o755 }]);
const forged = signArchive(writeKey(join(makeFolder(), "another.pem")), archive, forgedArchive);

/** Served files, keyed by the first part of the URL's path. */
const places: Record<string, Served> = { right, forged };
const url = serveFiles((place, file) => answerWith(places[place], file));
const { attack } = makeInstaller(folder, (place) => `${url}${place}`);

const openssl = findProgram("openssl") ?? "openssl";
/**
 * A stand-in for macOS's openssl, which identifies itself as LibreSSL, supports LibreSSL's `dgst` options, and rejects
 * `pkeyutl`.
 */
const LIKE_LIBRESSL = `#!/bin/sh
case "$1 $2 $3 $5" in
  'version   ') echo 'LibreSSL 3.3.6' ;;
  'dgst -sha256 -verify -signature') exec ${openssl} "$@" ;;
  *) echo "unknown option '$2'" >&2; exit 1 ;;
esac
`;
/** OpenSSL in Debian 11, which is older than 3.0 and doesn't support -rawin. */
const old = await fetchPackages("release-openssl-1.1", {
  architecture: "amd64",
  suite: "bullseye",
  packages: ["openssl"],
}).catch((error: Error) => error);
const VERSIONS: readonly [name: string, script: string | undefined][] = [
  ["this machine's openssl", `#!/bin/sh\nexec ${openssl} "$@"\n`],
  ["LibreSSL of macOS", process.platform === "darwin" ? `#!/bin/sh\nexec /usr/bin/openssl "$@"\n` : undefined],
  ["an openssl with LibreSSL's options", LIKE_LIBRESSL],
  [
    "OpenSSL 1.1.1",
    old instanceof Error
      ? undefined
      : `#!/bin/sh\nLD_LIBRARY_PATH=${old}/usr/lib/x86_64-linux-gnu exec ${old}/usr/bin/openssl "$@"\n`,
  ],
];

for (const [version, script] of VERSIONS)
  describe.skipIf(script === undefined)(
    `with ${version}${script === undefined ? " (not run: this machine has none)" : ""}`,
    () => {
      const instead = { openssl: script ?? "" };
      test("install.sh installs a signed release", async () => {
        expect(await attack("right", [], { home: makeFolder(), instead })).toMatchObject({
          exit_code: 0,
          last: "",
          left: [".local/bin/bridge-hooks"],
        });
      });
      test("install.sh rejects a forged release", async () => {
        expect(await attack("forged", [], { home: makeFolder(), instead })).toEqual(
          refusal(/the signature of \S+\/SHA256SUMS is invalid; nothing was installed/),
        );
      });
    },
  );

describe("install.sh without a way to verify the signature", () => {
  const without = ["openssl"];
  test("rejects every release, and suggests what to do", async () => {
    for (const place of ["right", "forged"])
      expect(await attack(place, [], { home: makeFolder(), without })).toEqual(
        refusal(/openssl is not installed.*; nothing was installed\. Install openssl, or pass --no-signature/),
      );
  });
  test("verifies only the checksum if a user passes --no-signature", async () => {
    const home = makeFolder();
    expect(await attack("right", ["--no-signature"], { home, without })).toMatchObject({
      exit_code: 0,
      last: "bridge-hooks: the signature is not verified, because of --no-signature",
    });
    places["changed"] = { ...right, [archive]: forgedArchive };
    expect(await attack("changed", ["--no-signature"], { home: makeFolder(), without })).toEqual(
      refusal(/the checksum of \S+ differs/),
    );
  });
  test("rejects an openssl that fails, whatever it prints", async () => {
    for (const script of ["echo 'Verified OK'; exit 1", "exit 0", "echo 'Verification Failure'; exit 0", "exit 127"])
      expect(await attack("right", [], { home: makeFolder(), instead: { openssl: `#!/bin/sh\n${script}\n` } })).toEqual(
        refusal(/the signature of .* is invalid; nothing was installed/),
      );
  });
  test("rejects an unsigned release unless --no-signature is passed", async () => {
    const unsigned = await makeNextRelease([here], "0.3.0");
    const files = ["SHA256SUMS", `bridge-hooks-0.3.0-${here}.tar.gz`];
    places["unsigned"] = Object.fromEntries(files.map((file) => [file, readFileSync(join(unsigned, file))]));
    const { install } = makeInstaller(unsigned, (place) => `${url}${place}`);
    const refused = await install("unsigned", [], { home: makeFolder() });
    expect([refused.exit_code, refused.stderr]).toEqual([1, expect.stringContaining("pass --no-signature\n")]);
    expect((await install("unsigned", ["--no-signature"], { home: makeFolder() })).exit_code).toBe(0);
  });
});
