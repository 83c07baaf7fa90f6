import { Command, Option } from "clipanion";
import { formatJson } from "../../operate/text.ts";
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";
import { formatTable } from "../terminal/layout.ts";
import { describeTerminal } from "../terminal/terminal.ts";
import { declareJson, declareKey } from "../terminal/options.ts";

export class VerifyCommand extends UserCommand {
  static override paths = [["verify"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "install",
    description: "Check another file: whether it is of a release, and is hardened.",
    details: `
      Reads FILE, an archive or an executable, and runs nothing of it. Compares its hash with the SHA256SUMS of a release, checks the signature of that
      with the key that the project publishes, looks for switches of the runtime that should be off, and says which policy the file claims to be.

      Exit code 0 only if a release lists the file, the key signed that list, and nothing is wrong. It can't check the executable that it is: a forged one would praise itself.
      With openssl and sha256sum the same is done without bridge-hooks.
    `,
    examples: [["A download, with the key of the project", "bridge-hooks verify bridge-hooks --key release-key.pem"]],
  });

  file = Option.String({ name: "FILE" });
  sums = Option.String("--sums", { description: "The SHA256SUMS of a release (default: the one beside FILE)" });
  key = declareKey();
  json = declareJson();

  async work(): Promise<number> {
    const { isProven, verifyFile } = await import("../../operate/verify/verify.ts");
    const checks = verifyFile({ file: this.file, sums: this.sums, key: this.key });
    const proven = isProven(checks);
    if (this.json) this.write(formatJson({ file: this.file, proven, checks }));
    else {
      const rows = checks.map(({ check, result, what }) => [FORMATS[result], check, what]);
      this.say(formatTable(rows, describeTerminal()).join("\n"));
      this.say(proven ? "\nIt is of that release." : `\nNot proven: ${countProblems(checks)}.`);
    }
    return proven ? 0 : 1;
  }
}

const FORMATS = { ok: "ok", wrong: "WRONG", skipped: "skipped" } as const;

function countProblems(checks: readonly { result: string }[]): string {
  const count = (result: string) => checks.filter((one) => one.result === result).length;
  const [wrong, skipped] = [count("wrong"), count("skipped")];
  return [wrong > 0 ? `${wrong} wrong` : "", skipped > 0 ? `${skipped} skipped` : ""].filter(Boolean).join(", ");
}
