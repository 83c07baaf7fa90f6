import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";
import { formatTable } from "../terminal/layout.ts";
import { describeTerminal } from "../terminal/terminal.ts";
import { declareJson, declareKey } from "../terminal/options.ts";
import { formatDetails } from "../terminal/details.ts";

export class VerifyCommand extends UserCommand {
  static override paths = [["verify"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "install",
    description: "Verify that a file belongs to a release and is hardened.",
    details: formatDetails(
      [
        "Reads FILE, an archive or an executable, without running it.",
        "Compares its hash with a release's SHA256SUMS, and verifies that list's signature with the project's public key.",
        "Looks for runtime switches that should be disabled, and shows the policy that the file claims to contain.",
      ],
      [
        "Exits with 0 only if the file is in a release's list, the key signed the list, and there are no problems.",
        "Don't let an executable verify itself: a forged one would vouch for itself. You can also use openssl and sha256sum.",
      ],
    ),
    examples: [["Verify a download with the project's key", "bridge-hooks verify bridge-hooks --key release-key.pem"]],
  });

  file = Option.String({ name: "FILE" });
  sums = Option.String("--sums", { description: "SHA256SUMS of a release (default: SHA256SUMS in FILE's directory)" });
  key = declareKey();
  json = declareJson();

  async work(): Promise<number> {
    const { isProven, verifyFile } = await import("../../operate/verify/verify.ts");
    const checks = verifyFile({ file: this.file, sums: this.sums, key: this.key });
    const isVerified = isProven(checks);
    if (this.json) this.write(formatJson({ file: this.file, proven: isVerified, checks }));
    else {
      const rows = checks.map(({ check, result, what }) => [RESULT_FORMATTERS[result], check, what]);
      this.say(formatTable(rows, describeTerminal()).join("\n"));
      this.say(
        isVerified ? "\nVerified: the file belongs to that release." : `\nNot verified: ${countProblems(checks)}.`,
      );
    }
    return isVerified ? 0 : 1;
  }
}

const RESULT_FORMATTERS = { ok: "ok", wrong: "WRONG", skipped: "skipped" } as const;

function countProblems(checks: readonly { result: string }[]): string {
  const count = (result: string) => checks.filter((check) => check.result === result).length;
  const [wrong, skipped] = [count("wrong"), count("skipped")];
  return [wrong > 0 ? `${wrong} wrong` : "", skipped > 0 ? `${skipped} skipped` : ""].filter(Boolean).join(", ");
}
