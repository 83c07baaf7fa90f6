import type { AnyEvent, CallEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { applyPatch } from "../../protocol/object.ts";
import { hasUnifiedName } from "../../protocol/tool.ts";
import { findHost } from "../identify/find-host.ts";

/**
 * Translates a patch to unified names. If the translation fails, returns the patch unchanged, and the host's adapter
 * rejects it with the call's own field names.
 * @param sent the event before any hook changed it.
 */
export async function translatePatch(seen: CallEvent, sent: AnyEvent, patch: Payload): Promise<Payload> {
  const isUnified = ([name]: [string, unknown]) => hasUnifiedName(seen, name);
  const unified = Object.fromEntries(Object.entries(patch).filter(isUnified));
  const native = Object.fromEntries(Object.entries(patch).filter((entry) => !isUnified(entry)));
  if (seen.tool === "MCP")
    return "arguments" in unified ? patch : { ...unified, arguments: applyPatch(seen.input.arguments, native) };
  // An edit is replaced as a whole, so an earlier hook's changes would be lost.
  if (seen.tool === "Edit" && "input" in sent && !Bun.deepEquals(seen.input, sent.input)) return patch;
  try {
    const host = await findHost(seen.host)?.loadHost();
    const { translatePatch: translate } = (await host?.loadScriptCodec()) ?? {};
    const translated = translate?.({ native_event: seen.native_event, payload: seen._native }, native);
    return translated ? { ...translated, ...unified } : patch;
  } catch {
    return patch;
  }
}
