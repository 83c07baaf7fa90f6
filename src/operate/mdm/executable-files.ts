import type { Host } from "../../protocol/host/host.ts";
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { markProbe, PROBE } from "../../protocol/probe.ts";
import placePs1 from "./template/place-ps1.txt" with { type: "text" };
import placeSh from "./template/place-sh.txt" with { type: "text" };
import smokeTestPs1 from "./template/smoke-test-ps1.txt" with { type: "text" };
import smokeTestSh from "./template/smoke-test-sh.txt" with { type: "text" };

type ClientSystem = keyof PackSpec["programs"];
type ProbeCall = [host: string, native_event: string, payload: string];

/** Lists one test call per host, in the host's own format. The executable always denies these calls. */
async function listProbeCalls(hosts: readonly Host[]): Promise<ProbeCall[]> {
  const calls = await Promise.all(
    hosts.map(async (host): Promise<ProbeCall[]> => {
      const doctor = await host.loadDoctor();
      const gates = Object.entries(host.capabilities).filter(([, row]) => row().event === "PreToolUse");
      for (const [native_event] of gates) {
        const payload = doctor.getProbePayload(native_event, PROBE);
        if (payload) return [[host.id, native_event, JSON.stringify(markProbe(payload))]];
      }
      return [];
    }),
  );
  return calls.flat();
}

/** Escapes non-ASCII characters, which a shell would otherwise encode with its own code page. */
const toAscii = (text: string): string =>
  text.replaceAll(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Builds scripts that place, replace and test the executable on a client. */
export async function buildExecutableFiles(
  programs: PackSpec["programs"],
  hosts: readonly Host[],
): Promise<PackFile[]> {
  const calls = await listProbeCalls(hosts);
  return (["linux", "macos", "windows"] as const).flatMap((system) => {
    const isWindows = system === "windows";
    const fill = (template: string): Pick<PackFile, "text" | "encoding"> => {
      const text = template
        .replace("@PROGRAM@", () => quoteWord(programs[system], system))
        .replace("@CALLS@", () =>
          calls
            .map(([host, event, payload]) =>
              [isWindows ? "Test-Denial" : "check_denial", host, event, quoteWord(toAscii(payload), system)].join(" "),
            )
            .join("\n"),
        );
      return { text: encodeScript(text, system) };
    };
    const ending = isWindows ? "ps1" : "sh";
    return [
      {
        path: `executable/${system}/place.${ending}`,
        ...fill(isWindows ? placePs1 : placeSh),
        deployment:
          "needed only if no package installs the executable; copy the script and the executable to the client, and run the script as root or SYSTEM",
        os: [system],
        by: [],
      },
      {
        path: `executable/${system}/smoke-test.${ending}`,
        ...fill(isWindows ? smokeTestPs1 : smokeTestSh),
        deployment: "run it on a client as any user",
        os: [system],
        by: [],
      },
    ];
  });
}

/**
 * Encodes a script for its system. Without a byte order mark, Windows PowerShell would read the script with the system
 * code page.
 */
export const encodeScript = (text: string, system: ClientSystem): string =>
  system === "windows" ? `\ufeff${text.replaceAll("\n", "\r\n")}` : text;

/** Quotes a word for the system's shell. PowerShell treats typographic apostrophes as quotes. */
export const quoteWord = (word: string, system: ClientSystem): string =>
  system === "windows"
    ? `'${word.replaceAll(/['\u2018-\u201b]/g, "$&$&")}'`
    : `'${word.replaceAll("'", String.raw`'\''`)}'`;
