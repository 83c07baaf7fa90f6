import { appendFileSync } from "node:fs";
import type { HostAnswer, Env } from "../../protocol/host/host.ts";

/** Appends the answer's text to a file specified by the host. Returns a warning if writing fails. */
export function appendToHostFile({ variable, text }: NonNullable<HostAnswer["append"]>, env: Env): string | undefined {
  const file = env[variable];
  const advice = "set the variables before starting the host";
  if (!file) return `session_env was dropped: ${variable} is not set; update the host, or ${advice}`;
  try {
    appendFileSync(file, text);
    return undefined;
  } catch (error) {
    return `session_env was dropped: ${variable} can't be written (${(error as Error).message}); make it writable, or ${advice}`;
  }
}
