import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import protectSecrets from "../../../hooks/protect-secrets.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { DEFAULT_RULE_POLICY } from "../../../src/protocol/rule.ts";
import { formatResponse } from "../../support/ask-hook.ts";
import { MADE_UP_SECRETS } from "../../support/made-up-secrets.ts";

export const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-protect-")));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
export const app = join(folder, "app");
mkdirSync(join(app, "sub/deep"), { recursive: true });
mkdirSync(join(folder, "keys/.aws"), { recursive: true });
writeFileSync(join(app, ".env"), "KEY=1\n");
writeFileSync(join(app, "sub/.env"), "KEY=1\n");
writeFileSync(join(app, "README.md"), "# app\n");
writeFileSync(join(app, "cert.pem"), "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n");
writeFileSync(join(app, "public.pem"), "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n");
writeFileSync(join(app, "pair.pem"), "-----BEGIN RSA PUBLIC KEY-----\nMIIB\n-----BEGIN RSA PRIVATE KEY-----\n");
writeFileSync(
  join(app, "both.pem"),
  "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n",
);
writeFileSync(join(folder, "keys/.aws/credentials"), "");
symlinkSync(join(app, ".env"), join(app, "notes.txt"));
symlinkSync("../.env", join(app, "sub/link"));
symlinkSync(".env", join(app, "my notes"));
symlinkSync(join(folder, "keys/.aws"), join(app, "cloud"));
symlinkSync(join(app, "README.md"), join(app, "readme-link"));
mkdirSync(join(folder, "keys/.kube"));
writeFileSync(join(folder, "keys/.kube/config"), "");
symlinkSync(join(folder, "keys/.kube"), join(app, "cluster"));

/** Validates options as if they came from a config file. */
export const validateOptions = (given: object) => {
  const read = protectSecrets.options?.["~standard"].validate(given) as {
    value: unknown;
    issues?: readonly { message: string }[];
  };
  if (read.issues) throw new Error(read.issues[0]?.message);
  return read.value;
};
export const handler = protectSecrets.handler as (event: object, context: object) => Promise<IHookResponse | undefined>;
/** Returns the hook's answer the way the engine passes it on. */
export const askHook = async (event: object, options: object = {}) => {
  const answer = await handler(
    { cwd: app, ...event },
    {
      options: validateOptions(options),
      rules: DEFAULT_RULE_POLICY,
      log() {},
      signal: new AbortController().signal,
    },
  );
  return answer && formatResponse(answer);
};
export const askCall = (tool: string, input: object, options?: object) =>
  askHook({ event: "PreToolUse", tool, tool_name: tool, input }, options);
export const askBash = (command: string, options?: object) => askCall("Bash", { command }, options);

export const getSecret = (kind: string) =>
  (MADE_UP_SECRETS.find(([one]) => one === kind) as (typeof MADE_UP_SECRETS)[number])[1];
export const githubToken = getSecret("github-token");
export const privateKey = getSecret("private-key");
export const databaseUrl = getSecret("database-url");

/** Splits a string into rows, one command each. */
export const splitRows = (text: string) => text.slice(1, -1).split("\n");

export const expectDenial = async (answered: Promise<IHookResponse | undefined>) => {
  const { decision, reason, ...rest } = (await answered) ?? {};
  expect(rest).toEqual({});
  for (const [, secret] of MADE_UP_SECRETS) expect(reason).not.toContain(secret);
  return { decision, reason };
};

/** Tests allowed commands together with their denied counterparts. */
export function compareLinesBy(
  decide: (line: string) => Promise<string | undefined>,
  name: string,
  allowed: readonly string[],
  denied: readonly string[],
): void {
  describe(`protect-secrets on ${name}`, () => {
    for (const line of allowed) test(`allows ${line}`, async () => expect(await decide(line)).toBeUndefined());
    for (const line of denied) test(`denies ${line}`, async () => expect(await decide(line)).toBe("deny"));
  });
}
