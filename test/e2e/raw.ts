/** A hook that says what the plan says in the host's own words, to see what the host makes of it; nothing of the bridge is in it. */
import { readFileSync, writeSync } from "node:fs";
import { noted } from "./plan.ts";

const argv = process.argv.slice(2);
const payload = JSON.parse(readFileSync(0, "utf8")) as Record<string, unknown>;
const named = payload.tool_name ?? payload.toolName;
const tool = typeof named === "string" ? named : undefined;
const raw = noted({ native_event: argv[argv.indexOf("--event") + 1] ?? "", tool, payload, argv })?.raw;
if (raw?.document !== undefined) writeSync(1, JSON.stringify(raw.document));
if (raw?.stderr) writeSync(2, raw.stderr);
process.exit(raw?.code ?? 0);
