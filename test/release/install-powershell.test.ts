import { describe, expect, test } from "bun:test";
import { createPrivateKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../src/hosts/find-program.ts";
import { makeFolder, makeSmallRelease, run } from "./support.ts";

const { folder, key } = await makeSmallRelease(["windows-x64"]);
const script = readFileSync(join(folder, "install.ps1"), "utf8");
const shell = findProgram("pwsh");
const why = shell === undefined ? " (not run: there is no PowerShell)" : "";

/** The functions in install.ps1, without the code that calls them. */
const functions = script.slice(script.indexOf("function Say"), script.indexOf("$wanted ="));

async function runPowerShell(text: string): Promise<string> {
  const file = join(makeFolder(), "script.ps1");
  writeFileSync(file, `$ErrorActionPreference = "Stop"\n${text}\n`);
  const { stdout, stderr } = await run([shell ?? "", "-NoProfile", "-File", file]);
  return (stdout + stderr).trim();
}

test("install.ps1 contains the key, and can only skip the signature with -NoSignature", () => {
  expect(script).toContain(readFileSync(join(folder, "release-key.pem"), "utf8").trim());
  expect(functions.match(/only the checksum, pass -NoSignature/g)?.length).toBe(2);
  expect(script).not.toMatch(/only the checksum is verified|Expand-Archive|openssl/);
});

describe.skipIf(shell === undefined)(`PowerShell${why}`, () => {
  test("parses install.ps1 without an error", async () => {
    const parse = `$errors = $null; [void][Management.Automation.Language.Parser]::ParseFile('${join(folder, "install.ps1")}', [ref]$null, [ref]$errors); $errors.Count`;
    expect(await runPowerShell(parse)).toBe("0");
  });
  test("converts signatures to the Windows format, and nothing else", async () => {
    const privateKey = createPrivateKey(readFileSync(key, "utf8"));
    const signatures = Array.from({ length: 50 }, (_, at) => sign("sha256", Buffer.from(`${at}`), privateKey));
    const convert = (der: Uint8Array) =>
      `[BitConverter]::ToString((ConvertFrom-DerSignature ([Convert]::FromBase64String('${Buffer.from(der).toString("base64")}'))))`;
    const lines = (await runPowerShell([functions, ...signatures.map(convert)].join("\n"))).split("\n");
    expect(lines.map((line) => line.trim().replaceAll("-", "").toLowerCase())).toEqual(signatures.map(toPlain));
    const wrong = [Buffer.alloc(0), Buffer.alloc(70), signatures[0]?.subarray(1), signatures[0]?.subarray(0, -1)];
    const tests = wrong.map(
      (der = Buffer.alloc(0)) =>
        `$null -eq (ConvertFrom-DerSignature ([Convert]::FromBase64String('${der.toString("base64")}')))`,
    );
    expect((await runPowerShell([functions, ...tests].join("\n"))).split(/\r?\n/)).toEqual(wrong.map(() => "True"));
  });
  test("finds a file's only line in SHA256SUMS", async () => {
    const find = (list: string) =>
      runPowerShell(
        `${functions}\n$url = 'u'\nFind-Sum ([Convert]::FromBase64String('${Buffer.from(list).toString("base64")}')) 'a.zip'`,
      );
    const [hash, other] = ["a".repeat(64), "b".repeat(64)];
    expect(await find(`${other}  ba.zip\n${hash}  a.zip\n`)).toBe(hash);
    expect(await find(`${hash}  a.zip\n${other}  a.zip\n`)).toContain("lists a.zip more than once");
    for (const list of [`${hash}  a.zip\r\n`, `${hash}  aXzip\n`, `${hash}  A.ZIP\n`, `${hash} a.zip\n`, ""])
      expect(await find(list)).toContain("has no a.zip; nothing was installed");
  });
  test("determines the newer of two versions", async () => {
    const pairs = [
      ["0.10.0", "0.9.0", "True"],
      ["0.2.0", "0.2.0-rc.1", "True"],
      ["0.2.0-rc.10", "0.2.0-rc.9", "True"],
      ["0.1.0", "0.1.0", "False"],
      ["0.1.0-rc.1", "0.1.0", "False"],
      ["0.1.0+b", "0.1.0+a", "False"],
    ];
    const tests = pairs.map(([one, other]) => `Test-Newer '${one}' '${other}'`);
    expect((await runPowerShell([functions, ...tests].join("\n"))).split(/\r?\n/)).toEqual(
      pairs.map(([, , answer]) => answer ?? ""),
    );
  });
});

/** Converts a DER signature to its two numbers, as 32 hex-encoded bytes each. */
function toPlain(der: Buffer): string {
  const first = 4 + (der[3] ?? 0);
  return [der.subarray(4, first), der.subarray(first + 2)]
    .map((number) => number.toString("hex").slice(-64).padStart(64, "0"))
    .join("");
}
