import * as identities from "../../hosts/entries.ts";
import { omitNulls } from "../../protocol/object.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { detectHost } from "../identify/detect.ts";
import type { Judgement } from "./concerns-no-hook.ts";

/** Returns the ID of the host that sent a payload, or undefined if that isn't certain. */
export async function findHostId(payload: Payload, env: Judgement["env"]): Promise<string | undefined> {
  try {
    const detection = await detectHost(Object.values(identities), omitNulls(payload), { env });
    return "host" in detection ? detection.host.id : undefined;
  } catch {
    return undefined;
  }
}
