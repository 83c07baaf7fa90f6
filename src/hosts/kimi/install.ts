import type { Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { kimi } from "../entries.ts";
import { buildEntryLine, defineSetup, listToolNames } from "../setup/define-setup.ts";
import { buildSubscriptions } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** Time limits [shipped 2.1.0]. When a hook times out, Kimi Code runs the call anyway [seen 2.1.0, 2026-11-27]. */
const timeGrants: TimeGrants = { default_s: 30, max_s: 600 };

/**
 * Events that are missing from one of the two config schemas in 2.1.0 [shipped 2.1.0]. A release that doesn't recognize
 * an event disables all hooks [seen 2.1.0, 2026-11-27], so these events get an entry only when named explicitly.
 */
const NEWER_EVENTS = ["UserPromptQueued", "TurnStarted", "TaskStarted", "SessionHeartbeat"];

/**
 * Installs into the user's config.toml, because Kimi Code has neither project nor managed hooks [seen 2.1.0,
 * 2026-11-27]. Entries have no matchers: an entry with a matcher would silently miss a tool renamed by an update.
 */
export const setup: Setup = defineSetup({
  identity: kimi,
  capabilities,
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS, ["mcp__.+"]),
  listConfigFiles: (machine) => [
    { scope: "user", path: `${kimi.folders.user(machine)}/config.toml`, syntax: "toml", target: true },
  ],
  listDialects: (platform) => (platform === "win32" ? ["cmd"] : ["sh"]),
  // On each event, Kimi Code runs identical commands only once [shipped 2.1.0].
  isDeduplicated: true,
  layout: "flat",
  planSubscriptions: (wantedEvents) =>
    buildSubscriptions(wantedEvents, capabilities).filter(({ native_event }) => !NEWER_EVENTS.includes(native_event)),
  timeGrants,
  // Entries must have no other keys, because a single unknown key disables all hooks [seen 2.1.0, 2026-11-27].
  buildHandler: (spec) => ({
    event: spec.native_event,
    // Commands run in Node's default shell, which is cmd.exe on Windows [shipped 2.1.0].
    command: quoteCommand(buildEntryLine("kimi", spec, timeGrants), spec.platform === "win32" ? "cmd" : "sh"),
    timeout: buildTimeout(timeGrants, spec),
  }),
  listManualSteps: () => ["restart running Kimi Code sessions, because a session reads its hooks only once"],
});
