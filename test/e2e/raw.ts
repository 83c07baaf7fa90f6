/**
 * A hook that prints a planned answer in the host's own format, without any bridge-hooks code, to show how the host
 * handles it.
 */
import { readFileSync, writeSync } from "node:fs";
import { recordCall } from "./plan.ts";

const argv = process.argv.slice(2);
const payload = JSON.parse(readFileSync(0, "utf8")) as Record<string, unknown>;
const { name } = (payload.tool_call ?? payload.tool_result ?? {}) as { name?: unknown };
const toolName = payload.tool_name ?? payload.toolName ?? name;
const tool = typeof toolName === "string" ? toolName : undefined;
const raw = recordCall({ native_event: argv[argv.indexOf("--event") + 1] ?? "", tool, payload, argv })?.raw;
if (raw?.document !== undefined) writeSync(1, JSON.stringify(raw.document));
if (raw?.stderr) writeSync(2, raw.stderr);
process.exit(raw?.code ?? 0);
