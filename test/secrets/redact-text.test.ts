import { describe, expect, test } from "bun:test";
import { hasSecretHint } from "../../src/secrets/hints.ts";
import { SECRET_PROGRAMS } from "../../src/secrets/option-programs.ts";
import { redactText } from "../../src/secrets/redact-text.ts";
import { makeAlphanumeric, makeLetters } from "../support/made-up-secrets.ts";
import { scaleMs } from "../support/machine.ts";
import { ORDINARY_TEXTS, putSecret, SECRET_PLACES, SECRET_VARIANTS } from "./secret-places.ts";

/** Random strings of several kinds, such as users or programs choose. */
const secrets = (seed: number): string[] => [
  `a1${makeAlphanumeric(14, seed)}`,
  `Z9${makeLetters("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 18, seed)}`,
  `k7${makeLetters("abcdefghijkmnopqrstuvwxyz0123456789_-", 12, seed)}x`,
  `q4${makeLetters("abcdefghijkmnopqrstuvwxyzABCDEFGHJKL0123456789+", 24, seed)}8b`,
];

const PLACES = [...SECRET_PLACES, ...SECRET_VARIANTS];

describe("redaction", () => {
  test("hides a random secret in every context", () => {
    const kept = new Set<string>();
    for (let seed = 1; seed <= 16; seed++)
      for (const secret of secrets(seed))
        for (const place of PLACES)
          if (redactText(putSecret(place, secret)).includes(secret)) kept.add(`${place} ${secret}`);
    expect([...kept]).toEqual([]);
  });
  test("hides a secret that is preceded and followed by other commands", () => {
    const [secret = ""] = secrets(7);
    for (const place of PLACES.filter((one) => !one.includes("\n"))) {
      const text = `cd /srv && ${putSecret(place, secret)}\ngit status`;
      expect([place, redactText(text).includes(secret)]).toEqual([place, false]);
    }
  });
  test("hides the value after a name in the same word", () => {
    expect(redactText("SECRETKEYBASE=a1Zk9Qw7LmTb34")).toBe("SECRETKEYBASE=[secret]");
  });
  test("stops at the closing quote of a value", () => {
    expect(redactText("echo 'Authorization: a1Zk9Qw7Lm'; git push origin main")).toBe(
      "echo 'Authorization: [authorization]'; git push origin main",
    );
    expect(redactText('echo "Authorization: Basic a1Zk9Qw7Lm," && git push')).toBe(
      'echo "Authorization: Basic [authorization]" && git push',
    );
  });
  test("does not change ordinary texts", () => {
    for (const text of ORDINARY_TEXTS) expect(redactText(text)).toBe(text);
  });
  test("does not change its own output", () => {
    for (const place of PLACES) {
      const once = redactText(putSecret(place, "a1Zk9Qw7Lm"));
      expect(redactText(once)).toBe(once);
    }
  });
  test("hides a token whose format is broken by quotes", () => {
    const token = makeAlphanumeric(36);
    const forms = [
      `ghp_${token.slice(0, 9)}''${token.slice(9)}`,
      `"gh""p_${token}"`,
      `g\\hp_${token}`,
      `'gh' + 'p_${token}'`,
    ];
    for (const form of forms) {
      const redacted = redactText(`push ${form} now`);
      expect([form, redacted.includes(token.slice(10)), redacted.endsWith(" now")]).toEqual([form, false, true]);
    }
  });
  test("is not skipped for a text in which the context shows a secret", () => {
    const unhinted = PLACES.map((place) => putSecret(place, "a1Zk9Qw7Lm")).filter((text) => !hasSecretHint(text));
    expect(unhinted).toEqual([]);
    expect(SECRET_PROGRAMS.filter((name) => !hasSecretHint(name))).toEqual([]);
  });
  test("takes time proportional to the length of a text", () => {
    /** Takes the fastest of several runs, because other programs use the machine as well. */
    const measure = (text: string) =>
      Math.min(
        ...[1, 2, 3].map(() => {
          const start = performance.now();
          redactText(text);
          return performance.now() - start;
        }),
      );
    for (const part of [
      "password=",
      "'",
      '"',
      "\\",
      "a:",
      "://a:",
      "= ",
      "<a>",
      "mysql -p ",
      "name: key, ",
      "x1Y_",
      "token='$a' ",
      "$'",
      "-s<<E ",
    ]) {
      measure(part.repeat(2_000));
      const [short, long] = [measure(part.repeat(4_000)), measure(part.repeat(16_000))];
      expect([part, long < Math.max(scaleMs(100), short * 12)]).toEqual([part, true]);
    }
  });
});
