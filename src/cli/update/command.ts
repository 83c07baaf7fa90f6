import { Command, Option } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";
import { confirmWithUser } from "../terminal/confirm.ts";
import { declareKey, declareYes } from "../terminal/options.ts";
import { getOwnCommand, ownExecutable } from "../../system/own-command.ts";

export class UpdateCommand extends UserCommand {
  static override paths = [["update"]];
  static policyEffect: PolicyEffect = { changes: "replaces the bridge-hooks executable" };
  static override usage = Command.Usage({
    category: "install",
    description: "Replace this executable by a newer release.",
    details: `
      For an executable that install.sh, install.ps1 or you put into place. It refuses where that is another's job, and says whose: an executable with hooks of your own, one that
      a package manager installed, one where an administrator ships it.

      The list of the release has to be signed by the key that --key names; there is no way around that. An older release needs --allow-older. The new executable is tried beside the old one; if doctor
      has more red findings with it, the old one is put back. A resident process (serve) of a host sees within a second of calls that it was replaced, and the next call starts the new one.
    `,
    examples: [["Is there a newer one?", "bridge-hooks update --check --url https://example.com/latest --key key.pem"]],
  });

  check = Option.Boolean("--check", false, { description: "Only say whether there is another; exit code 1 if so" });
  url = Option.String("--url", { description: "Where the files of the release are (default: BRIDGE_HOOKS_URL)" });
  key = declareKey();
  allowOlder = Option.Boolean("--allow-older", false, { description: "Also go back to an older release" });
  yes = declareYes();

  async work(): Promise<number> {
    const { explainOwner } = await import("../../operate/update/owner.ts");
    const { findRelease, installRelease } = await import("../../operate/update/update.ts");
    const { entries } = await import("../../call/built/hooks.ts");
    const { resolveLinks } = await import("../../hosts/follow-links.ts");
    if (ownExecutable === undefined) throw new Error("this runs from source; update the clone, and build it again");
    const file = resolveLinks(ownExecutable);
    const reason = explainOwner(file, entries);
    if (reason !== undefined) throw new Error(reason);
    const url = (this.url ?? process.env.BRIDGE_HOOKS_URL)?.replace(/\/+$/, "");
    if (!url || !/^https?:\/\//.test(url))
      throw new Error("pass the place of the release: --url URL, or BRIDGE_HOOKS_URL");
    if (!this.key)
      throw new Error("pass the key that signs releases: --key FILE, with the public key that the project publishes");
    const source = { url, key: this.key };
    const release = await findRelease(source);
    const order = Bun.semver.order(release.version, pkg.version);
    if (order === 0) {
      this.say(`${pkg.version} is the release at ${url}: nothing to do.`);
      return 0;
    }
    if (this.check) {
      this.say(`${release.version} is at ${url}, ${order > 0 ? "newer" : "older"} than ${pkg.version}.`);
      return order > 0 ? 1 : 0;
    }
    if (order < 0 && !this.allowOlder)
      throw new Error(
        `the release at ${url} is ${release.version}, older than ${pkg.version}; pass --allow-older to go back to it`,
      );
    if (!this.yes && !confirmWithUser(`Replace ${file} by ${release.version}?`)) {
      this.say("Nothing was changed.");
      return 1;
    }
    await installRelease(file, source, release, (what) => this.context.stderr.write(`${what} …\n`));
    this.say(
      `${file} is ${release.version} now. New hooks may want other events: ${getOwnCommand()} install adds their entries.`,
    );
    return 0;
  }
}
