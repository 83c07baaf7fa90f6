import { index } from "./manifest.ts";
import { concernsNobody, parseQuickly, readEntryFlags } from "./quick.ts";
import type { HostShapes } from "./shapes.ts";
import shapesText from "./shapes.txt" with { type: "text" };
import { openQuickSystem, type QuickInput } from "./system.ts";

/** How long a payload may take to arrive, as in any call. */
const READ_MS = 2_000;

/** The forms of a host's payloads; undefined for an unknown host. */
export function loadShapes(host: string): HostShapes | undefined {
  const at = `\n${shapesText}`.indexOf(`\n${host}\t`);
  if (at < 0) return undefined;
  const from = at + host.length + 1;
  return JSON.parse(shapesText.slice(from, shapesText.indexOf("\n", from))) as HostShapes;
}

/**
 * Answers a call that concerns no hook, and ends the process. Most calls are such: neither a host, nor a hook, nor
 * `node:fs` is loaded for them.
 * @returns what was read of stdin, where the call has to be looked at; undefined if nothing was read.
 */
export function answerQuickly(argv: readonly string[]): QuickInput | undefined {
  const flags = readEntryFlags(argv);
  const shapes = flags && loadShapes(flags.host);
  const system = shapes && openQuickSystem();
  if (!system) return undefined;
  const input = system.readStdin(READ_MS);
  if (!input.isWhole) return input;
  const payload = parseQuickly(new TextDecoder().decode(input.bytes));
  const { env, execPath } = process;
  const ownName = execPath.slice(execPath.lastIndexOf("/") + 1).toLowerCase();
  if (!payload || !concernsNobody({ shapes, named: flags.event, payload, index, system, env, ownName })) return input;
  const text = shapes.neutralOutput && `${shapes.neutralOutput}\n`;
  if (text !== "" && !system.writeStdout(text)) return input;
  return process.reallyExit(0);
}
