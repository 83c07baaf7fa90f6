import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { encodeScript, quoteWord } from "./executable-files.ts";
import coveragePs1 from "./template/coverage-ps1.txt" with { type: "text" };
import coverageSh from "./template/coverage-sh.txt" with { type: "text" };

interface CoverageScript {
  path: string;
  system: PackFile["os"][number];
  purpose: string;
  deployment: string;
  /** Markup to print before and after the result. */
  marks?: [open: string, close: string];
}

const COVERAGE_SCRIPTS: readonly CoverageScript[] = [
  {
    path: "coverage/linux/coverage.sh",
    system: "linux",
    purpose: "Run the script regularly as each user who runs an agent, with a timer or configuration management.",
    deployment: "run it regularly as each user who runs an agent",
  },
  {
    path: "coverage/macos/jamf-extension-attribute.sh",
    system: "macos",
    purpose: "Extension attribute for Jamf Pro (input type: script, data type: string).",
    deployment:
      "Jamf Pro: Settings, Computer Management, Extension Attributes; create a smart group of computers whose value is like `RED`",
    marks: ["<result>", "</result>"],
  },
  {
    path: "coverage/macos/intune-custom-attribute.sh",
    system: "macos",
    purpose: "Custom attribute for Intune on macOS (data type: string).",
    deployment: "Intune: Devices, macOS, Custom attributes",
  },
  {
    path: "coverage/windows/intune-detection.ps1",
    system: "windows",
    purpose: "Detection script for Intune remediations. Run it with the logged-on credentials, in 64-bit PowerShell.",
    deployment:
      "Intune: Devices, Scripts and remediations; use it as a detection script with the logged-on credentials, in 64-bit PowerShell, without a remediation script",
  },
];

/**
 * Builds scripts that report to an MDM whether denials take effect on a client.
 * @param config hash of the config file in the pack; empty if the pack has none
 */
export const buildCoverageFiles = ({ programs }: Pick<PackSpec, "programs">, config: string): PackFile[] =>
  COVERAGE_SCRIPTS.map(({ path, system, purpose, deployment: destination, marks: [prefix, suffix] = ["", ""] }) => {
    const isWindows = system === "windows";
    const text = (isWindows ? coveragePs1 : coverageSh)
      .replace("@PURPOSE@", purpose)
      .replace("@PROGRAM@", () => quoteWord(programs[system], system))
      .replace("@CONFIG@", quoteWord(config, system))
      .replace("@OPEN@", prefix)
      .replace("@CLOSE@", suffix);
    return {
      path,
      text: encodeScript(text, system),
      deployment: destination,
      os: [system],
      by: [],
    };
  });
