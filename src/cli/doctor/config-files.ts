import type { ConfigEntry, ConfigFile, Finding, HostDoctor } from "../../protocol/host/install.ts";
import { createNote, createRedFinding } from "../../hosts/setup/findings.ts";
import { createEditor } from "../../operate/machine/edit/entries.ts";
import { readConfigFile, mayPathExist } from "../../operate/machine/files.ts";
import type { InstallContext } from "../../operate/machine/install-context.ts";
import {
  checkDocumentShape,
  type ConfigFlaw,
  findConfigFlaws,
  type HostFile,
  affectsOnlyPart,
  mentionsBridgeHooks,
} from "../../operate/machine/plan.ts";
import { readInstalledEntries } from "../../operate/machine/status.ts";
import type { ExaminedFile } from "./entry-findings.ts";
import { getOwnCommand } from "../../system/own-command.ts";

const ENTRIES_LOST = "bridge-hooks entries in this file may not run, so calls may not be guarded";

const adviseCorrection = (location: string) => `correct ${location}, then run: ${getOwnCommand()} doctor`;

/**
 * Returns the paths of bridge-hooks entries in a file. For an unparsable file that mentions bridge-hooks, returns the
 * root path.
 */
function findOurPaths({ setup, file }: HostFile, text: string, context: InstallContext) {
  try {
    return readInstalledEntries(setup, file, text, context).map(({ entry }) => entry.path);
  } catch {
    return mentionsBridgeHooks(text) ? [[]] : [];
  }
}

/** Returns the path of the part that a flaw invalidates: the enclosing entry or group, or else the event. */
function findInvalidatedPart({ path = [] }: ConfigFlaw): ConfigEntry["path"] {
  const index = path.findLastIndex((key) => typeof key === "number");
  return index < 0 ? path : path.slice(0, index + 1);
}

/**
 * Reports a flaw in a config. If the host doesn't ignore any bridge-hooks entry because of it, the finding is only a
 * note.
 */
function reportFlaw(
  flaw: ConfigFlaw,
  { host, file }: Omit<HostFile, "setup">,
  ourPaths: readonly ConfigEntry["path"][],
): Finding {
  const lostPaths = affectsOnlyPart(flaw) ? findInvalidatedPart(flaw) : [];
  const isLost = (path: ConfigEntry["path"]) => lostPaths.every((key, index) => path[index] === key);
  const fix = adviseCorrection(flaw.position === undefined ? file.path : `${flaw.position} of ${file.path}`);
  if (flaw.extent === "host")
    return createRedFinding("config-flaw", flaw.line, `${host.name} may run no hooks at all`, fix);
  return ourPaths.some(isLost)
    ? createRedFinding("config-flaw", flaw.line, ENTRIES_LOST, fix)
    : createNote("config-flaw", flaw.line, "no bridge-hooks entry is affected", fix);
}

/** A config file that can't be parsed or read. */
export interface UnusableFile {
  file: ConfigFile;
  /** Whether the file might contain bridge-hooks entries, which a red finding then reports. */
  mayHaveEntries: boolean;
}

/** Reads the host's config files and reports those that the host would ignore. */
export function readConfigFiles(
  { host, setup, check }: Pick<ExaminedFile, "host" | "setup"> & { check: HostDoctor },
  context: InstallContext,
): { examined: ExaminedFile[]; unusable: UnusableFile[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const unusable: UnusableFile[] = [];
  const examined = setup.listConfigFiles(context.machine).flatMap((file): ExaminedFile[] => {
    if (!mayPathExist(file.path)) return [];
    let text: string | undefined;
    try {
      const content = readConfigFile(file.path);
      text = content.text ?? "";
      const flaws = findConfigFlaws(check, file, content);
      const ourPaths = findOurPaths({ host, setup, file }, text, context);
      findings.push(...flaws.map((flaw) => reportFlaw(flaw, { host, file }, ourPaths)));
      const editor = createEditor(file, text);
      if (flaws.length === 0) checkDocumentShape({ file, setup }, editor);
      const installedEntries = readInstalledEntries(setup, file, text, context);
      const loadedFile = {
        ...file,
        text,
        document: editor.value(),
        ownEntries: installedEntries.map(({ entry }) => entry),
      };
      return [{ host, setup, file: loadedFile, installedEntries }];
    } catch (error) {
      const { message } = error as Error;
      const summary = message.includes(file.path) ? message : `${file.path}: ${message}`;
      if (!findings.some((finding) => finding.what.startsWith(file.path)))
        findings.push(createRedFinding("config-unreadable", summary, ENTRIES_LOST, adviseCorrection(file.path)));
      const isReported = findings.some(({ level, what }) => level === "red" && what.startsWith(file.path));
      unusable.push({ file, mayHaveEntries: isReported && (text === undefined || mentionsBridgeHooks(text)) });
      return [];
    }
  });
  return { examined, unusable, findings };
}
