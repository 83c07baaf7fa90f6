import { describe, expect, test } from "bun:test";
import { secrets } from "../../src/author/kit/secrets.ts";
import { makeAlphanumeric, makeLetters } from "../support/made-up-secrets.ts";

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SMALL = `${UPPER.toLowerCase()}234567`;
/** Tokens consisting of only letters and digits, which could occur in base64 by chance. */
const TOKENS = {
  aws: `AKIA${makeLetters(`${UPPER}234567`, 16)}`,
  nuget: `oy2${makeLetters(SMALL, 43)}`,
  square: `EAAA${makeAlphanumeric(60, 5)}`,
  easypost: `EZAK${makeAlphanumeric(54, 7)}`,
};
const LINE = 76;
const letters = (length: number, seed: number) => makeAlphanumeric(length, seed);
const findKinds = async (text: string) => (await secrets(text)).map(({ kind }) => kind);

/** Base64 data, on one or more lines, that happens to contain a token. */
const encoded: Record<string, (token: string) => string> = {
  "after a slash": (token) => `${letters(90, 1)}/${token}${letters(90, 2)}=`,
  "after a plus": (token) => `data:image/png;base64,${letters(90, 3)}+${token}${letters(9, 4)}`,
  "in a wrapped line": (token) =>
    [letters(LINE, 5), `${letters(5, 6)}/${token}${letters(LINE - 6 - token.length, 7)}`, letters(20, 8)].join("\n"),
  "at the beginning of a wrapped line": (token) =>
    [letters(LINE, 5), `${token}${letters(LINE - token.length, 7)}`, letters(20, 8)].join("\n"),
  "at the beginning of a line, with CRLF": (token) =>
    [letters(LINE, 5), `${token}${letters(LINE - token.length, 7)}`, letters(20, 8)].join("\r\n"),
  "in lines of a JSON string": (token) =>
    JSON.stringify({
      data: [letters(LINE, 5), `${token}${letters(LINE - token.length, 7)}`, letters(20, 8)].join("\n"),
    }),
};

/** Contexts in which the same characters do count as a token. */
const named: Record<string, (token: string) => string> = {
  alone: (token) => token,
  "in a list of tokens": (token) => [letters(token.length, 9), token, letters(token.length, 10)].join("\n"),
  "after a line of base64": (token) => `${letters(LINE, 11)}\n${token}\n`,
  "in a path": (token) => `GET /v1/accounts/Keys01/${token}/use HTTP/1.1`,
  "in a URL": (token) => `https://api.acme-corp.io/v1/${token}`,
  "after a name": (token) => `key=${token}`,
};

for (const [issuer, token] of Object.entries(TOKENS))
  describe(`characters that resemble a token of ${issuer}`, () => {
    for (const [place, put] of Object.entries(encoded))
      test(`are not detected in base64, ${place}`, async () => {
        expect(await findKinds(put(token))).toEqual([]);
      });
    for (const [place, put] of Object.entries(named))
      test(`are detected ${place}`, async () => {
        expect(await findKinds(put(token))).toHaveLength(1);
      });
  });
