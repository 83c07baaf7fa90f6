import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Env, Payload } from "../../../protocol/host/host.ts";
import type { ConfigEntry, Examination, Finding, FoundFile, Place } from "../../../protocol/host/install.ts";
import {
  ENDS_PROGRAMS,
  LIBRARIES,
  LOADS_CODE,
  named,
  note,
  objectOf,
  oldRows,
  oursIn,
  red,
  RUNTIME,
} from "../../check.ts";
import { findProgram, systemProgram } from "../../find-program.ts";
import { readOutput } from "../../run-program.ts";
import { commandsOf } from "../../setup.ts";
import { claude } from "../../entries.ts";
import { capabilities } from "../capabilities.ts";

/** Managed settings that are no file of Claude Code's own. */
interface Source {
  name: string;
  /** Empty where it could not be read. */
  document: Payload;
}

/** What a program of the system prints; nothing where it fails. Its own place comes first: a project may put another onto PATH. */
function printed(place: Place, program: string, args: readonly string[]): string {
  const own = place.platform === "win32" ? systemProgram(program) : `/usr/bin/${program}`;
  const path = existsSync(own)
    ? own
    : findProgram(program, { roots: place.roots, path: place.env.PATH ?? place.env.Path ?? "" });
  if (!path) return "";
  const { stdout, exit_code } = readOutput({ argv: [path, ...args], env: place.env, timeout: 1_500 });
  return exit_code === 0 ? stdout : "";
}

function parsed(text: string): Payload {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Preferences that a device management has set [shipped 2.1.330 and docs https://code.claude.com/docs/en/settings; not run]. */
function preferences(place: Place): Source[] {
  const folder = `${place.system ?? ""}/Library/Managed Preferences`;
  return [`${folder}/${basename(place.home)}`, folder].flatMap((path) => {
    const name = `${path}/${claude.preferences.domain}.plist`;
    return existsSync(name)
      ? [{ name, document: parsed(printed(place, "plutil", ["-convert", "json", "-o", "-", name])) }]
      : [];
  });
}

/** The registry's value [shipped 2.1.330 and docs https://code.claude.com/docs/en/settings; not run]. */
function policy(place: Place, hive: "HKLM" | "HKCU"): Source[] {
  const name = `${hive}\\${claude.preferences.registryKey}`;
  const value = /\bSettings\s+REG_(?:EXPAND_)?SZ\s+(.*)/.exec(
    printed(place, "reg", ["query", name, "/v", "Settings"]),
  )?.[1];
  return value === undefined ? [] : [{ name, document: parsed(value) }];
}

/** By strength: the first source wins, and the others are ignored. */
function sources({ place, files }: Examination) {
  const strong =
    place.platform === "darwin" ? preferences(place) : place.platform === "win32" ? policy(place, "HKLM") : [];
  const own = files.filter(({ scope, document }) => scope === "managed" && Object.keys(objectOf(document)).length > 0);
  const weak = place.platform === "win32" ? policy(place, "HKCU") : [];
  return { strong: strong[0], own, weak: weak[0] };
}

const lineOf = ({ command, args }: ConfigEntry) => JSON.stringify([command, args]);

interface Managed {
  findings: Finding[];
  /** What the source that wins says. */
  documents: Payload[];
  name: string;
}

/** Which managed settings hold, and whether our entries are in them. */
function managed(examination: Examination): Managed {
  const { strong, own, weak } = sources(examination);
  const winner = strong ?? (own.length > 0 ? undefined : weak);
  const name = winner?.name ?? named(own);
  if (!name) return { findings: [], documents: [], name };
  const documents = winner ? [winner.document] : own.map(({ document }) => objectOf(document));
  const inSource = new Set(documents.flatMap((document) => commandsOf(document, "groups").map(lineOf)));
  const ignored = oursIn(own).filter(({ entry }) => !inSource.has(lineOf(entry)));
  const found =
    ignored.length > 0
      ? red(
          "managed-shadowed",
          `managed settings come from ${name}, and bridge-hooks' entries are in ${named(ignored.map(({ file }) => file))}`,
          "Claude Code takes managed settings from the strongest source alone: these entries are ignored",
          `put the entries into ${name}, as the enterprise pack has them, or remove it`,
        )
      : note(
          "managed-source",
          `managed settings come from ${name}`,
          "weaker sources are ignored; settings from the claude.ai console would win over it, and can't be seen from here",
          "nothing, if this is the source that you manage",
        );
  return { findings: [found], documents, name };
}

/** Keys of managed settings that keep all other settings' hooks from running [docs https://code.claude.com/docs/en/settings]. */
function restricting(document: Payload): string | undefined {
  const { allowManagedHooksOnly, strictPluginOnlyCustomization: strict } = document;
  if (allowManagedHooksOnly === true) return "allowManagedHooksOnly";
  return strict === true || (Array.isArray(strict) && strict.includes("hooks"))
    ? "strictPluginOnlyCustomization"
    : undefined;
}

const INSTALL = "bridge-hooks install --scope managed --host claude";

/** Settings that turn hooks off. */
function switches({ files }: Examination, { documents, name }: Managed): Finding[] {
  const ours = files.filter((file) => file.ours.length > 0);
  const others = ours.filter(({ scope }) => scope !== "managed");
  if (ours.length === 0) return [];
  const found: Finding[] = [];
  if (documents.some(({ disableAllHooks }) => disableAllHooks === true))
    found.push(
      red(
        "hooks-disabled",
        `${name} says disableAllHooks`,
        "Claude Code runs no hook at all",
        "remove disableAllHooks there",
      ),
    );
  for (const { path, scope, document } of others.length > 0 ? files : []) {
    if (scope === "managed" || objectOf(document).disableAllHooks !== true) continue;
    const impact = `the entries in ${named(others)} don't run; managed ones would hold`;
    found.push(
      red(
        "hooks-disabled",
        `${path} says disableAllHooks`,
        impact,
        `remove disableAllHooks from ${path}, or: ${INSTALL}`,
      ),
    );
  }
  const key = documents.map(restricting).find(Boolean);
  if (key && others.length === ours.length) {
    const what = `${name} says ${key}, and bridge-hooks' entries are in ${named(others)}`;
    found.push(
      red("managed-hooks-only", what, "Claude Code runs managed hooks alone: these entries don't run", INSTALL),
    );
  }
  return found;
}

/** Variables that move what programs and hooks find, and whom their requests reach and trust. */
const MOVES =
  /^(PATH|HOME|USERPROFILE|SystemRoot|ComSpec|XDG_STATE_HOME|CLAUDE_CONFIG_DIR|SSL_CERT_(FILE|DIR)|(HTTPS?|ALL|NO)_PROXY)$/i;

/** Variables that the person's and the company's settings set for hooks; not a project's, lest looking runs what a repository chose. */
export const variables = (files: readonly FoundFile[]): Env =>
  Object.fromEntries(
    ["user", "managed"]
      .flatMap((scope) =>
        files
          .filter((file) => file.scope === scope)
          .flatMap(({ document }) => Object.entries(objectOf(objectOf(document).env))),
      )
      .flatMap(([name, value]) =>
        typeof value === "string" && !/^(LD|DYLD)_|^(PATH|HOME|ENV|BASH_ENV)$/i.test(name) ? [[name, value]] : [],
      ),
  );

function hostile({ path, scope, document }: FoundFile, files: readonly FoundFile[]): Finding[] {
  if (scope === "managed") return [];
  const names = Object.keys(objectOf(objectOf(document).env));
  const project = scope === "project" || scope === "local";
  const list = (...patterns: RegExp[]) =>
    names.filter((name) => patterns.some((pattern) => pattern.test(name))).join(", ");
  const loads = project ? list(LOADS_CODE, LIBRARIES) : list(LOADS_CODE);
  const moves = project ? list(MOVES, RUNTIME) : list(MOVES, RUNTIME, LIBRARIES);
  const ends = list(ENDS_PROGRAMS);
  const found: Finding[] = [];
  if (loads) {
    const impact = "code of somebody's choice runs inside every hook, this one too";
    found.push(red("env-loads-code", `${path} sets ${loads}`, impact, `remove it from ${path}`));
  }
  if (ends) {
    const impact =
      "the system's loader can end every hook with it before its first instruction, or print before its answer: a call passes";
    found.push(red("env-ends-programs", `${path} sets ${ends}`, impact, `remove it from ${path}`));
  }
  if (moves) {
    const impact =
      "bridge-hooks obeys no switch of its runtime; other variables decide what programs, home, state and servers its hooks find";
    found.push(
      note("env-moves", `${path} sets ${moves}`, impact, `look whether that is meant, else remove it from ${path}`),
    );
  }
  const found_by = oursIn(files).filter(
    ({ entry }) => entry.args === undefined && !/^['"]?(\/|[A-Za-z]:)/.test(entry.command),
  );
  if (project && found_by.length > 0 && names.some((name) => /^(PATH|HOME)$/i.test(name))) {
    const impact = `it decides what ${found_by[0]?.entry.command.split(" ")[0]} is in ${named(found_by.map((one) => one.file))}`;
    found.push(
      red(
        "env-chooses-program",
        `${path} sets ${moves}`,
        impact,
        "install again, so that the entries name a whole path",
      ),
    );
  }
  return found;
}

/** The first release with `onFailure` [shipped 2.1.295, not 2.1.294; seen to block in 2.1.330, and to be ignored in 2.1.197, 2026-11-22]. */
const ON_FAILURE = "2.1.295";

function ignoredOnFailure({ files, version }: Examination): Finding[] {
  if (!version || Bun.semver.order(version, ON_FAILURE) >= 0) return [];
  return files
    .filter(({ ours }) => ours.some(({ handler }) => handler.onFailure !== undefined))
    .map(({ path }) =>
      red(
        "on-failure-ignored",
        `Claude Code ${version} ignores onFailure in ${path}`,
        "a call passes where the executable is gone or killed; denials hold",
        `update Claude Code to ${ON_FAILURE} or later`,
      ),
    );
}

/** What only Claude Code needs to be asked. */
export async function examine(examination: Examination): Promise<Finding[]> {
  const source = managed(examination);
  return [
    ...source.findings,
    ...switches(examination, source),
    ...examination.files.flatMap((file) => hostile(file, examination.files)),
    ...ignoredOnFailure(examination),
    ...oldRows(capabilities, examination.version),
  ];
}
