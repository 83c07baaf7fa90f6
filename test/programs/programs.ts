import { existsSync } from "node:fs";
import { join } from "node:path";
import { CACHE_FOLDER, fetchPackages } from "../../release/debian-packages.ts";

/** A third-party program used by tests, which isn't installed on every machine. */
export interface Program {
  path: string;
  /** Directory the program was unpacked to; empty if it's installed. */
  root: string;
  env: Record<string, string>;
}

/** Programs, each with its Debian package. */
const PACKAGES = {
  rsyslogd: { packageName: "rsyslog", path: "usr/sbin/rsyslogd" },
  "notify-send": { packageName: "libnotify-bin", path: "usr/bin/notify-send" },
  chromium: { packageName: "chromium", path: "usr/lib/chromium/chromium" },
  "ansible-playbook": { packageName: "ansible-core", path: "usr/bin/ansible-playbook" },
  shellcheck: { packageName: "shellcheck", path: "usr/bin/shellcheck" },
} as const;
export type ProgramName = keyof typeof PACKAGES;
export const PROGRAM_NAMES = Object.keys(PACKAGES) as ProgramName[];

export const LIBRARY_FOLDER = "usr/lib/x86_64-linux-gnu";

/** Set by `npm run programs`, the only place where tests that take minutes are run. */
export const PROGRAMS_VARIABLE = "BRIDGE_HOOKS_TEST_PROGRAMS";
export const isProgramsRun = process.env[PROGRAMS_VARIABLE] === "1";

/** Finds a program that's either installed or downloaded. */
export function findProgram(name: ProgramName): Program | undefined {
  const installed = Bun.which(name, { PATH: `${process.env.PATH ?? ""}:/usr/sbin` });
  if (installed) return { path: installed, root: "", env: {} };
  const root = join(CACHE_FOLDER, "packages", name, "root");
  const path = join(root, PACKAGES[name].path);
  const libraries = [LIBRARY_FOLDER, `${LIBRARY_FOLDER}/pulseaudio`, "lib/x86_64-linux-gnu"]
    .map((folder) => join(root, folder))
    .join(":");
  const env = { LD_LIBRARY_PATH: libraries, PYTHONPATH: join(root, "usr/lib/python3/dist-packages") };
  return existsSync(path) ? { path, root, env } : undefined;
}

/**
 * Downloads a program from Debian without installing it.
 *
 * @throws UnavailableError if it can't be downloaded.
 */
export async function fetchProgram(name: ProgramName): Promise<void> {
  await fetchPackages(name, { architecture: "amd64", packages: [PACKAGES[name].packageName] });
}
