import type { AnyEvent, CallEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { applyPatch } from "../../protocol/object.ts";
import { hasUnifiedName } from "../../protocol/tool.ts";
import { findHost } from "../identify/find-host.ts";

/**
 * Translates a patch to unified names. If that fails, returns the patch unchanged, so that the host's adapter rejects
 * it with the call's own field names.
 * @param originalEvent the event before any hook changed it
 */
export async function translatePatch(
  currentEvent: CallEvent,
  originalEvent: AnyEvent,
  patch: Payload,
): Promise<Payload> {
  const isUnified = ([name]: [string, unknown]) => hasUnifiedName(currentEvent, name);
  const unifiedFields = Object.fromEntries(Object.entries(patch).filter(isUnified));
  const native = Object.fromEntries(Object.entries(patch).filter((entry) => !isUnified(entry)));
  if (currentEvent.tool === "MCP")
    return "arguments" in unifiedFields
      ? patch
      : { ...unifiedFields, arguments: applyPatch(currentEvent.input.arguments, native) };
  // Here the patch would replace the whole edit and discard an earlier hook's changes.
  if (
    currentEvent.tool === "Edit" &&
    "input" in originalEvent &&
    !Bun.deepEquals(currentEvent.input, originalEvent.input)
  )
    return patch;
  try {
    const host = await findHost(currentEvent.host)?.loadHost();
    const { translatePatch: translate } = (await host?.loadScriptCodec()) ?? {};
    const unifiedPatch = translate?.(
      { native_event: currentEvent.native_event, payload: currentEvent._native },
      native,
    );
    return unifiedPatch ? { ...unifiedPatch, ...unifiedFields } : patch;
  } catch {
    return patch;
  }
}
