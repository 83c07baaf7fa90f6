import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import pkg from "../../../package.json" with { type: "json" };
import type { LogLine } from "../../call/log/log-line.ts";
import { hideSecretsIn } from "../../call/log/redact.ts";
import type { NotifySettings } from "../../policy/describe.ts";
import { WEBHOOK_FORM, WEBHOOK_MESSAGE } from "../../policy/vocabulary.ts";
import { describeLine } from "../log/describe.ts";
import { escapeLine, formatJson } from "../text.ts";

/** Time limit for each attempt in milliseconds. */
const ATTEMPT_MS = 10_000;
/** Pauses before retries in milliseconds. */
const PAUSES_MS = [1_000, 4_000];
const MAX_FILE_BYTES = 1 << 16;

/** Returns the webhook URL. A secret URL is read from a file. */
export function readWebhookUrl({ webhook = "", webhookFile }: NotifySettings): string {
  const url = webhookFile === undefined ? webhook : readSmallFile(webhookFile).trim();
  if (!WEBHOOK_FORM.test(url)) throw new Error(`the URL in ${webhookFile ?? "log.notify.webhook"} ${WEBHOOK_MESSAGE}`);
  return url;
}

function readSmallFile(file: string): string {
  const { size } = statSync(file);
  if (size > MAX_FILE_BYTES) throw new Error(`${file} is too large; it must contain a single value`);
  return readFileSync(file, "utf8");
}

/** Fields left out of the posted line, because they quote more of the call than is needed to understand the denial. */
const OMITTED_FIELDS = new Set(["asked", "messages", "losses", "others", "part", "seq", "prev", "content"]);

/** Formats the body to post for a denial. Removes secrets, even if the log contains them. */
export async function formatPost(line: LogLine, format: NotifySettings["format"] = "json"): Promise<string> {
  const fields = Object.fromEntries(Object.entries(line).filter(([name]) => !OMITTED_FIELDS.has(name)));
  const redactedLine = await hideSecretsIn(fields as unknown as LogLine);
  const text = `bridge-hooks on ${hostname()}, ${line.host ?? "unknown host"}: ${describeLine(redactedLine)}`;
  return formatJson(
    format === "slack" ? { text: escapeSlack(text) } : { ...redactedLine, machine: hostname(), text },
    0,
  );
}

/** Escapes markup: Slack interprets `<` as the start of a link or mention. */
const escapeSlack = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Signs a body. The signature is an HMAC-SHA256 of the time, a dot and the body: `t=1795514400,v1=…`. */
export function signPost(body: string, secret: string, seconds = Math.floor(Date.now() / 1000)): string {
  const hash = new Bun.CryptoHasher("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${hash}`;
}

/**
 * Posts a denial. Doesn't follow redirects, and always verifies the certificate, whatever the environment variables
 * say.
 * @param until time after which no more attempts are made
 * @throws Error if the receiver didn't accept the denial.
 */
export async function postDenial(url: string, line: LogLine, settings: NotifySettings, until: number): Promise<void> {
  const body = await formatPost(line, settings.format);
  const secret = settings.secretFile === undefined ? undefined : readSmallFile(settings.secretFile).trim();
  if (secret === "") throw new Error(`${settings.secretFile} is empty; write the secret to it`);
  const ca = settings.caFile === undefined ? undefined : readSmallFile(settings.caFile);
  for (let attempt = 0; ; attempt++) {
    const problem = await attemptPost(url, {
      body,
      headers: {
        "content-type": "application/json",
        "user-agent": `bridge-hooks/${pkg.version}`,
        "bridge-hooks-id": line.id,
        ...(secret !== undefined && { "bridge-hooks-signature": signPost(body, secret) }),
      },
      tls: { rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
    });
    if (problem === undefined) return;
    const pause = PAUSES_MS[attempt];
    if (problem.isFinal || pause === undefined || Date.now() + pause > until)
      throw new Error(escapeLine(`${new URL(url).origin} did not accept the denial: ${problem.reason}`));
    await Bun.sleep(pause);
  }
}

/** Why a post failed, and whether a retry would be pointless. */
interface PostProblem {
  reason: string;
  isFinal: boolean;
}

async function attemptPost(url: string, request: BunFetchRequestInit): Promise<PostProblem | undefined> {
  try {
    const signal = AbortSignal.timeout(ATTEMPT_MS);
    const response = await fetch(url, { ...request, method: "POST", redirect: "manual", signal });
    // Don't read the response body, which might never end.
    await response.body?.cancel().catch(() => {});
    const { status, ok } = response;
    return ok ? undefined : { reason: `status ${status}`, isFinal: status < 500 && status !== 408 && status !== 429 };
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException;
    if (name === "TimeoutError") return { reason: `no answer within ${ATTEMPT_MS / 1000} s`, isFinal: false };
    return { reason: code ?? message, isFinal: /CERT|SIGNATURE|ALTNAME/.test(code ?? "") };
  }
}
