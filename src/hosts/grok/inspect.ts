import * as v from "valibot";
import type { ConfigEntry, DoctorContext, Finding, LoadedConfigFile } from "../../protocol/host/install.ts";
import { readOutput } from "../run-program.ts";
import { createNote, createRedFinding } from "../setup/findings.ts";
import { buildHostEnv } from "../setup/launches.ts";

/** The fields of `grok inspect --json` that the check reads [seen 1.0.41, 2026-11-28]. */
const InspectListing = () =>
  v.object({
    projectTrusted: v.boolean(),
    hooks: v.array(v.object({ event: v.string(), target: v.nullish(v.string()) })),
  });
type InspectListing = v.InferOutput<ReturnType<typeof InspectListing>>;

/** Timeout of `grok inspect`, which usually takes 0.1 s [seen 1.0.41, 2026-11-28]. */
const TIMEOUT_MS = 10_000;

/** Asks Grok Build which hooks it would load; returns undefined if the output has an unknown format. */
function listLoadedHooks({ machine: { roots, home, env }, program }: DoctorContext): InspectListing | undefined {
  if (program === undefined) return undefined;
  const argv = [program, "inspect", "--json"];
  const { stdout } = readOutput({ argv, cwd: roots[0] ?? home, env: buildHostEnv(env), timeout: TIMEOUT_MS });
  try {
    return v.parse(InspectListing(), JSON.parse(stdout));
  } catch {
    return undefined;
  }
}

export const toSnakeCase = (event: string) => event.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/**
 * Finds entries that Grok Build does not load, for example because it silently drops a whole file. Disabled entries are
 * still in Grok Build's list [seen 1.0.41, 2026-11-28].
 */
export function findUnloadedEntries(context: DoctorContext): Finding[] {
  const files = context.files.filter(({ ownEntries }) => ownEntries.length > 0);
  if (files.length === 0 || context.program === undefined) return [];
  const listing = listLoadedHooks(context);
  if (!listing)
    return [
      createNote(
        "hooks-unlisted",
        `${context.program} inspect --json does not list hooks`,
        "the config alone doesn't show whether Grok Build loads the entries",
        "check /hooks in Grok Build",
      ),
    ];
  const isLoaded = ({ native_event, command }: ConfigEntry) =>
    listing.hooks.some(({ event, target }) => event === toSnakeCase(native_event) && target === command);
  // Entries of an untrusted project are reported by another check.
  const isJudged = ({ scope }: LoadedConfigFile) => scope !== "project" || listing.projectTrusted;
  return files.filter(isJudged).flatMap((file) => {
    const missingEvents = file.ownEntries.filter((entry) => !isLoaded(entry)).map(({ native_event }) => native_event);
    return missingEvents.length > 0
      ? [
          createRedFinding(
            "entry-not-listed",
            `${file.path}: Grok Build does not list ${missingEvents.join(", ")}`,
            "none of them run: only managed hooks are allowed, or Grok Build ignores the file",
            "fix the other findings, then run grok inspect to check",
          ),
        ]
      : [];
  });
}
