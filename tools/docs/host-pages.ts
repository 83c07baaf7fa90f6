import { dirname } from "node:path";
import { hosts } from "../../src/hosts/index.ts";
import type { Host } from "../../src/protocol/host/host.ts";
import { EXECUTABLE } from "../../test/support/fixtures.ts";
import { TryReport } from "../../src/cli/try/report.ts";

const PLATFORMS = ["linux", "darwin", "win32"] as const;
const HOME = "~";
const PROJECT = "PROJECT";

const PLATFORM_NAMES = { linux: "Linux", darwin: "macOS", win32: "Windows" };

/** Formats the files that `install` writes for each scope, and for each platform if the files differ. */
async function formatPlaces(host: Host): Promise<string> {
  const setup = await host.setup();
  const files = PLATFORMS.flatMap((platform) =>
    setup
      .listConfigFiles({ home: HOME, env: {}, platform, roots: [PROJECT], system: "" })
      .filter(({ target }) => target)
      .map(({ scope, path }) => ({ scope, platform: PLATFORM_NAMES[platform], path: path.replace(/^PROJECT\//, "") })),
  );
  const items = [...Map.groupBy(files, ({ scope }) => scope)].map(([scope, ofScope]) => {
    const platformFiles = [...Map.groupBy(ofScope, ({ platform }) => platform).values()].flatMap(
      ([first]) => first ?? [],
    );
    const paths = [...Map.groupBy(platformFiles, ({ path }) => path)].map(([path, samePathFiles]) =>
      samePathFiles.length === PLATFORMS.length
        ? `\`${path}\``
        : `\`${path}\` (${samePathFiles.map(({ platform }) => platform).join(", ")})`,
    );
    return `- ${scope}: ${paths.join(", ")}`;
  });
  return items.join("\n");
}

const DENIED = "git push --force origin main";
/** The part of a denial's reason before the rule ID. It is the same on all hosts. */
const REASON = /Blocked ".*?(?= \[bridge-hooks |$)/;
const shortenReason = (text: string) => text.replace(REASON, "Blocked …");
const shortenReasons = (_key: string, value: unknown) => (typeof value === "string" ? shortenReason(value) : value);
/** Formats a document as the code formatter would, with single strings on one line, and shortens reasons. */
const formatJson = (document: unknown) =>
  JSON.stringify(document, shortenReasons, 2).replaceAll(/\[\s+("[^"\n]*")\s+\]/g, "[$1]");

/** Formats a host's answer to a call that a starter hook denies: the output and exit code. */
function formatDenial({ id }: Host): string {
  const { stdout } = Bun.spawnSync([EXECUTABLE, "try", "--json", "--host", id, "--command", DENIED], {
    cwd: "/",
    env: { HOME: "/nonexistent", PATH: `${dirname(EXECUTABLE)}:/usr/bin:/bin` },
  });
  const [call] = TryReport.parse(JSON.parse(`${stdout}`)).hosts[0]?.calls ?? [];
  if (!call) throw new Error(`${id} is not called for ${DENIED}`);
  if (call.stdout.trim() === "")
    return [
      `\`${call.native_event}\` for \`${DENIED}\`: nothing on stdout, exit code ${call.exit_code}, and on stderr:`,
      ["```", shortenReason(call.stderr.trim()), "```"].join("\n"),
    ].join("\n\n");
  // Some hosts expect a marker in front of the document.
  const start = call.stdout.indexOf("{");
  const mark = call.stdout.slice(0, start).trim();
  return [
    `\`${call.native_event}\` for \`${DENIED}\`, on stdout${mark && `, after \`${mark}\` and a tab`}:`,
    ["```json", formatJson(JSON.parse(call.stdout.slice(start))), "```"].join("\n"),
    `Exit code: ${call.exit_code}. ${describeStderr(call.stderr)}`,
  ].join("\n\n");
}

function describeStderr(stderr: string): string {
  if (stderr === "") return "stderr is empty.";
  return stderr.startsWith("bridge-hooks: ")
    ? "A warning on stderr describes how the denial was sent."
    : "The reason is also on stderr.";
}

/** The generated parts of the hosts' pages, apart from the tables. */
export const hostParts: readonly [file: string, marker: string, text: string][] = (
  await Promise.all(
    hosts.map(async (host): Promise<[string, string, string][]> => [
      [`docs/hosts/${host.id}.md`, "places", await formatPlaces(host)],
      [`docs/hosts/${host.id}.md`, "denial", formatDenial(host)],
    ]),
  )
).flat();
