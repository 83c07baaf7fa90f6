import pkg from "../../../package.json" with { type: "json" };
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { encodeScript, quoteWord } from "./executable-files.ts";
import { getRecordPath, listClientFiles, type ClientFile } from "./placed-files.ts";
import appDetectionPs1 from "./template/app-detection-ps1.txt" with { type: "text" };
import placeFilesPs1 from "./template/place-files-ps1.txt" with { type: "text" };
import placeFilesSh from "./template/place-files-sh.txt" with { type: "text" };

const BASE64_LINE = 96;
const wrapBase64 = (bytes: Uint8Array): string =>
  (
    Buffer.from(bytes)
      .toString("base64")
      .match(new RegExp(`.{1,${BASE64_LINE}}`, "g")) ?? []
  ).join("\n");

/** Formats a line of the client's record or of `SHA256SUMS`. */
export const formatRecordLine = ({ sha256, target }: Pick<ClientFile, "sha256" | "target">): string =>
  `${sha256}  ${target}`;

function fillShell(placedFiles: readonly ClientFile[], system: "linux" | "macos"): string {
  const unique = new Map(placedFiles.map(({ sha256, bytes }) => [sha256, bytes]));
  const record = getRecordPath(system);
  return placeFilesSh
    .replace("@RECORD@", () => record)
    .replace("@RECORD@", () => quoteWord(record, system))
    .replace("@TABLE@", () =>
      quoteWord(placedFiles.map((file) => `${file.host} ${formatRecordLine(file)}`).join("\n"), system),
    )
    .replace("@CONTENTS@", () =>
      [...unique].map(([hash, bytes]) => `    ${hash}) cat <<'END' ;;\n${wrapBase64(bytes)}\nEND`).join("\n"),
    );
}

function fillPowerShell(placedFiles: readonly ClientFile[], action: string, purpose: string): string {
  const quote = (text: string) => quoteWord(text, "windows");
  const record = getRecordPath("windows");
  return placeFilesPs1
    .replace("@PURPOSE@", purpose)
    .replaceAll("@ACTION@", action)
    .replace("@RECORD@", () => record)
    .replace("@RECORD_WORD@", () => quote(record))
    .replace("@FILES@", () =>
      placedFiles
        .map(({ target, sha256, bytes }) => {
          const data = quote(Buffer.from(bytes).toString("base64"));
          return `  @{ Path = ${quote(target)}; Hash = '${sha256}'; Data = ${data} }`;
        })
        .join("\n"),
    );
}

/** The Windows scripts. They share a template and differ only in purpose and default action. */
const WINDOWS_SCRIPTS = [
  {
    name: "intune-detection.ps1",
    action: "check",
    purpose: "Detection script for an Intune remediation: checks whether the hosts' managed files are in place.",
    goes: "Intune: Devices, Scripts and remediations; use it as the detection script, without the logged-on credentials, in 64-bit PowerShell",
  },
  {
    name: "intune-remediation.ps1",
    action: "install",
    purpose: "Remediation script for an Intune remediation: places the hosts' managed files.",
    goes: "use it as the remediation script in the same remediation",
  },
  {
    name: "remove-files.ps1",
    action: "remove",
    purpose:
      "Removes the hosts' managed files. Use it as an Intune platform script, or as the remediation script for a rollback.",
    goes: "to remove the files, use it in place of the remediation script",
  },
] as const;

/** Builds scripts that place a pack's files on a client. Administrators run them from an MDM or by hand. */
export function buildRolloutFiles({ programs }: Pick<PackSpec, "programs">, files: readonly PackFile[]): PackFile[] {
  const shell = (["linux", "macos"] as const).map((system): PackFile => ({
    path: `rollout/${system}/place-files.sh`,
    text: fillShell(listClientFiles(files, system), system),
    deployment: `run it as root: \`sh place-files.sh install\`${system === "macos" ? "; as a script in a Jamf Pro policy, or as a shell script in Intune and Kandji" : ""}`,
    undo: "`sh place-files.sh remove`",
    os: [system],
    by: [],
  }));
  const placedFiles = listClientFiles(files, "windows");
  const windows = WINDOWS_SCRIPTS.map(({ name, action, purpose, goes: destination }): PackFile => ({
    path: `rollout/windows/${name}`,
    text: encodeScript(fillPowerShell(placedFiles, action, purpose), "windows"),
    deployment: destination,
    undo: action === "install" ? "`remove-files.ps1`" : "",
    os: ["windows"],
    by: [],
  }));
  const detection = appDetectionPs1
    .replace("@PROGRAM@", () => quoteWord(programs.windows, "windows"))
    .replace("@VERSION@", () => quoteWord(pkg.version, "windows"));
  const app: PackFile = {
    path: "rollout/windows/intune-app-detection.ps1",
    text: encodeScript(detection, "windows"),
    deployment: "Intune: use it as the custom detection script for the Win32 app that installs the executable",
    os: ["windows"],
    by: [],
  };
  return [...shell, ...windows, app];
}
