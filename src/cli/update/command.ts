import { Command, Option } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";
import { confirmWithUser } from "../terminal/confirm.ts";
import { declareKey, declareYes } from "../terminal/options.ts";
import { getOwnCommand, ownExecutable } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class UpdateCommand extends UserCommand {
  static override paths = [["update"]];
  static policyEffect: PolicyEffect = { changes: "replaces the bridge-hooks executable" };
  static override usage = Command.Usage({
    category: "install",
    description: "Update this executable to a newer release.",
    details: formatDetails(
      [
        "Updates an executable that install.sh, install.ps1 or you installed.",
        "For an executable that has your own hooks, or that a package manager or an administrator installed, only says how to update.",
      ],
      [
        "The key in --key must have signed the release's file list.",
        "The new executable is tested before it replaces the old one, which is restored if doctor then reports more red findings.",
        "A running serve process exits within a second, and the next call starts the new executable.",
      ],
    ),
    examples: [
      ["Check for a newer release", "bridge-hooks update --check --url https://example.com/latest --key key.pem"],
    ],
  });

  check = Option.Boolean("--check", false, {
    description: "Only check for a newer release; exit with 1 if there is one",
  });
  url = Option.String("--url", { description: "URL of the release's files (default: BRIDGE_HOOKS_URL)" });
  key = declareKey();
  allowOlder = Option.Boolean("--allow-older", false, { description: "Also accept an older release" });
  yes = declareYes();

  async work(): Promise<number> {
    const { explainOwner } = await import("../../operate/update/owner.ts");
    const { findRelease, installRelease } = await import("../../operate/update/update.ts");
    const { entries } = await import("../../call/built/hooks.ts");
    const { resolveSymbolicLinks } = await import("../../hosts/follow-links.ts");
    if (ownExecutable === undefined)
      throw new Error("update needs a built executable, but this one runs from source; update the clone and rebuild");
    const file = resolveSymbolicLinks(ownExecutable);
    const reason = explainOwner(file, entries);
    if (reason !== undefined) throw new Error(reason);
    const url = (this.url ?? process.env.BRIDGE_HOOKS_URL)?.replace(/\/+$/, "");
    if (!url || !/^https?:\/\//.test(url)) throw new Error("no release URL; pass --url URL or set BRIDGE_HOOKS_URL");
    if (!this.key) throw new Error("no release key; pass --key FILE with the project's public key");
    const source = { url, key: this.key };
    const release = await findRelease(source);
    const order = Bun.semver.order(release.version, pkg.version);
    if (order === 0) {
      this.say(`Already up to date: ${url} has ${pkg.version}.`);
      return 0;
    }
    if (this.check) {
      this.say(`${url} has ${release.version}, ${order > 0 ? "newer" : "older"} than ${pkg.version}.`);
      return order > 0 ? 1 : 0;
    }
    if (order < 0 && !this.allowOlder)
      throw new Error(
        `the release at ${url} is ${release.version}, older than ${pkg.version}; to install it, pass --allow-older`,
      );
    if (!this.yes && !confirmWithUser(`Replace ${file} with ${release.version}?`)) {
      this.say("No changes made.");
      return 1;
    }
    await installRelease(file, source, release, (step) => this.context.stderr.write(`${step} …\n`));
    this.say(
      `Updated ${file} to ${release.version}. New hooks may subscribe to more events; to add entries: ${getOwnCommand()} install`,
    );
    return 0;
  }
}
