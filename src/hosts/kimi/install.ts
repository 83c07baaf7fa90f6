import type { Setup, TimeGrants } from "../../protocol/host/install.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { kimi } from "../entries.ts";
import { buildEntryLine, defineSetup, listToolNames } from "../setup/define-setup.ts";
import { buildSubscriptions } from "../setup/entries.ts";
import { buildTimeout } from "../setup/entry-time.ts";
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** When the time is up, the call passes [seen 2.1.0, 2026-11-27]. The limits: [shipped 2.1.0]. */
const timeGrants: TimeGrants = { default_s: 30, max_s: 600 };

/**
 * Events that one of the two config schemas in 2.1.0 does not have [shipped 2.1.0]: a release that does not know an
 * event drops all hooks [seen 2.1.0, 2026-11-27], so they get an entry only if named explicitly.
 */
const NEWER_EVENTS = ["UserPromptQueued", "TurnStarted", "TaskStarted", "SessionHeartbeat"];

/**
 * The user's config.toml alone: Kimi Code has no hooks of a project and none of an administrator
 * [seen 2.1.0, 2026-11-27]. No matchers: after an update with another name for a tool, the entry would silently miss it.
 */
export const setup: Setup = defineSetup({
  identity: kimi,
  capabilities,
  tools: listToolNames(TOOLS, UNMAPPED_TOOLS, ["mcp__.+"]),
  listConfigFiles: (place) => [
    { scope: "user", path: `${kimi.folders.user(place)}/config.toml`, syntax: "toml", target: true },
  ],
  listDialects: (platform) => (platform === "win32" ? ["cmd"] : ["sh"]),
  // The same command at the same event [shipped 2.1.0].
  isDeduplicated: true,
  layout: "flat",
  planSubscriptions: (wanted) =>
    buildSubscriptions(wanted, capabilities).filter(({ native_event }) => !NEWER_EVENTS.includes(native_event)),
  timeGrants,
  // No other key: for an unknown one, Kimi Code drops all hooks [seen 2.1.0, 2026-11-27].
  buildHandler: (order) => ({
    event: order.native_event,
    // Node's shell: cmd.exe on Windows [shipped 2.1.0].
    command: quoteCommand(buildEntryLine("kimi", order, timeGrants), order.platform === "win32" ? "cmd" : "sh"),
    timeout: buildTimeout(timeGrants, order),
  }),
  listManualSteps: () => ["a session of Kimi Code that runs already has to be started anew: it reads its hooks once"],
});
