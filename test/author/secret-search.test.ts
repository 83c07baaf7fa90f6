import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { findSecrets } from "../../src/secrets/find.ts";
import { hasLongRun, mayHoldSecret } from "../../src/secrets/scan.ts";
import { MADE_UP_SECRETS } from "../support/made-up-secrets.ts";
import { createRandom } from "../call/screen/differential.ts";
import { MARKS_FILE } from "../../tools/secret-marks.ts";
import { makeSamples, SAMPLE_FORMS } from "./secret-samples.ts";
import { scaleCases, seed } from "../support/fuzz.ts";

const TEXTS = scaleCases(50_000);
/** Prefix that makes a string long and contains no marker. */
const LONG = "let count = 1;\n".repeat(1_100);
const BEFORE = ["\n", " ", '"', "x", "abc", "a_", "-", "=", "\\n", "%3D", "é", "_", "key: ", "0", "Z", "http://"];
const PIECES = [..."_-.:~$+?&=/ \n\"'`aZ09é\t", "ghp_", "sk-", "AKIA", "eyJ", "com", "TOKEN", "=="];

test("every text in which the rules find a secret contains a marker, whether the text is short or long", () => {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const secrets = [
    ...MADE_UP_SECRETS.map(([, secret, text = secret]) => text),
    ...SAMPLE_FORMS.flatMap((form) =>
      makeSamples(form, 3).flatMap((one) => [one, ...(form.names ?? []).map((name) => `${name}=${one}`)]),
    ),
  ];
  const wrong: string[] = [];
  let found = 0;
  for (let at = 0; at < TEXTS; at++) {
    let text = pick(BEFORE) + pick(secrets);
    for (let changes = Math.floor(random() * 4); changes > 0; changes--) {
      const from = random() * text.length;
      const rest = text.slice(from + pick([0, 1, 1, 5]));
      text = text.slice(0, from) + pick(["", ...PIECES]) + rest;
    }
    if (findSecrets(`\n${text}`).length === 0) continue;
    found++;
    if (!mayHoldSecret(`\n${text}`)) wrong.push(`short: ${text}`);
    if (!mayHoldSecret(`${LONG}${text}`)) wrong.push(`long: ${text}`);
  }
  expect(wrong).toEqual([]);
  expect(found).toBeGreaterThan(TEXTS / 10);
});

test("hasLongRun agrees with a regular expression", () => {
  const random = createRandom(seed);
  const pieces = ["a", "b".repeat(7), "c".repeat(15), "d".repeat(16), " ", "\n", '"', "'", "`", "é", "\t"];
  const counts = [0, 0];
  const texts = scaleCases(10_000);
  for (let count = 0; count < texts; count++) {
    const picked = Array.from({ length: Math.floor(random() * 8) }, () => pieces[Math.floor(random() * pieces.length)]);
    const text = picked.join("");
    const expected = /[^\0- "'`]{16}/.test(text);
    expect([text, hasLongRun(text)]).toEqual([text, expected]);
    counts[Number(expected)]!++;
  }
  expect(Math.min(...counts)).toBeGreaterThan(texts / 10);
});

test("the markers file contains the marker of every format", () => {
  const [, ends = "", ...lines] = readFileSync(MARKS_FILE, "utf8").trimEnd().split("\n");
  const forms = lines.filter((line) => line.includes("\t"));
  const text = forms.join("\n");
  const listed = ends
    .trim()
    .split(" ")
    .flatMap((one) => {
      const [end = "", starts = ""] = one.split("@");
      return starts.split(",").map((start) => [end, Number(start)] as const);
    });
  expect(listed.length).toBe(forms.length);
  for (const [end, start] of listed) {
    const [piece = "", offset] = text.slice(start, text.indexOf("\n", start)).split("\t");
    expect([piece, end]).toEqual([
      piece,
      Number(offset) > piece.length ? "" : piece.slice(Math.max(0, Number(offset) - 2), Number(offset)),
    ]);
  }
  // Positions are stored in 16 bits.
  expect(readFileSync(MARKS_FILE).length).toBeLessThan(1 << 16);
});
