import { readdirSync } from "node:fs";
import { join } from "node:path";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { isObject } from "../../protocol/object.ts";
import { readExceptionFile } from "../../call/exceptions/exception-directories.ts";
import { findOwnHome } from "../../call/exceptions/account-home.ts";
import { getDeniedCallsDirectory, type StoredDeniedCall } from "../../call/exceptions/denied-calls.ts";
import { getStateSteps } from "../../call/state/state-directory.ts";
import { describeDecision, formatWithheld, isWithheld } from "../../operate/log/describe.ts";
import { findLineById } from "../../operate/log/select-lines.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** The user whose denied calls are considered. */
export interface CallOwner {
  uid: number;
  folder: string;
}

export const getOwner = (): CallOwner => ({
  uid: process.geteuid?.() ?? -1,
  folder: getDeniedCallsDirectory(process.env),
});

/**
 * Returns the account that ran `sudo`, because the exception covers a call made by that account, not by the
 * administrator.
 * @throws Error if `sudo` was not used.
 */
export function getCallingOwner(): CallOwner {
  const uid = Number(process.env.SUDO_UID || Number.NaN);
  const home = Number.isInteger(uid) ? findOwnHome(uid) : undefined;
  if (process.geteuid?.() !== 0 || home === undefined)
    throw new Error(
      "allow: --managed needs administrator rights; run the command with sudo from the account that should get the exception",
    );
  return { uid, folder: join(home, ...getStateSteps(), "denied") };
}

/** Yields the denied calls that can be allowed, newest first. */
export function* listAllowableCalls({ folder, uid }: CallOwner): Generator<StoredDeniedCall> {
  let names: string[];
  try {
    names = readdirSync(folder).sort().reverse();
  } catch {
    return;
  }
  for (const name of names) {
    const file = readExceptionFile(join(folder, name), uid);
    const call = "text" in file ? parseAllowableCall(file.text) : undefined;
    if (call) yield call;
  }
}

function parseAllowableCall(text: string): StoredDeniedCall | undefined {
  try {
    const call: unknown = JSON.parse(text);
    if (!isObject(call) || !isObject(call.binding) || !Array.isArray(call.verdicts)) return undefined;
    return typeof call.id === "string" && typeof call.cwd === "string"
      ? (call as unknown as StoredDeniedCall)
      : undefined;
  } catch {
    return undefined;
  }
}

/** @throws Error for a word that looks like a misspelled `list` or `revoke`. */
export function refuseMistypedCommand(id: string | undefined): void {
  const suggestion = id === undefined ? "" : suggestName(id, ["list", "revoke"]);
  if (suggestion && ![...listAllowableCalls(getOwner())].some((call) => call.id === id))
    throw new Error(`allow: no call "${id}"${suggestion.replace("mean ", "mean allow ")}`);
}

/**
 * Finds a denied call by its ID or an ID prefix; without an ID, finds the newest one.
 * @throws Error unless exactly one call matches.
 */
export function findAllowableCall(owner: CallOwner, id: string | undefined): StoredDeniedCall {
  const matches: StoredDeniedCall[] = [];
  for (const call of listAllowableCalls(owner)) {
    if (id === undefined || call.id === id) return call;
    if (call.id.startsWith(id)) matches.push(call);
  }
  const [call, ...more] = matches;
  if (more.length > 0)
    throw new Error(`allow: "${id}" matches several IDs: ${matches.map((match) => match.id).join(", ")}`);
  if (call) return call;
  const line = id === undefined ? undefined : findLineById(process.env, id, { skipped: 0 });
  if (line && !line.change && line.decision !== "deny")
    throw new Error(
      `allow: the call "${line.id}" was not denied, so there is nothing to allow; its decision: ${isWithheld(line) ? formatWithheld(line) : describeDecision(line)}`,
    );
  throw new Error(
    id === undefined
      ? "allow: there is no denied call to allow"
      : `allow: there is no denied call "${id}" to allow; if it is too old, repeat the call; to list denied calls: ${getOwnCommand()} allow list`,
  );
}
