import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { FILE_CARRIERS, PACK_SYSTEMS, type PackSystem } from "../setup/pack.ts";
import { setup } from "./install.ts";

const NOTES = [
  "OpenClaw has no config and no plugins for all users of a machine [seen 2026.9.6, 2026-11-22]: what it loads is each user's own. So there is nothing here that a user can't take away again, and what there is is a script that has to be run as each user.",
  `A gateway that runs already has to load the plugin: \`openclaw gateway restart\`, as that user [seen 2026.9.6, 2026-11-22].`,
];

/** A script that installs for each user, since there is no file to deploy for all of them. */
function buildInstallScript(order: PackSpec, system: PackSystem): PackFile {
  const windows = system === "windows";
  const events = order.wanted === "all" ? ["all"] : order.wanted.map(({ event }) => event);
  const words = ["install", "--host", "openclaw", "--scope", "user", "--on-error", order.on_error];
  const more = events.flatMap((event) => ["--event", event]);
  const install = quoteCommand([order.programs[system], ...words, ...more], windows ? "powershell" : "sh");
  return {
    path: `openclaw/${system}/install-as-user.${windows ? "ps1" : "sh"}`,
    text: windows ? `& ${install}\r\nexit $LASTEXITCODE\r\n` : `#!/bin/sh\nexec ${install}\n`,
    goes: "nowhere: it is run as each user, once the executable is there",
    shown: "`openclaw plugins inspect bridge-hooks --runtime --json` says `loaded`",
    undo: "as each user: `bridge-hooks uninstall --host openclaw --scope user`",
    notes: NOTES,
    os: [system],
    by: FILE_CARRIERS[system],
  };
}

export const buildPack = (order: PackSpec): PackFile[] =>
  setup.planSubscriptions(order.wanted).length > 0
    ? PACK_SYSTEMS.map((system) => buildInstallScript(order, system))
    : [];
