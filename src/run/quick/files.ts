import { getManagedConfig, getUserConfigSteps, PROJECT_CONFIG } from "../config-paths.ts";
import type { InspectedFile, QuickSystem } from "./system.ts";

/** Characters that a host or a shell may take for more than a part of a name, and those with several forms. */
const UNUSUAL = /[^\w@+=:.,/ -]|(?:^|\/)\.\.(?:\/|$)/;

/** An absolute path, from a folder if it is relative; undefined for one that may name something else. */
export function resolvePath(folder: string, path: string): string | undefined {
  const full = path.startsWith("/") ? path : `${folder}/${path}`;
  return full.startsWith("/") && !UNUSUAL.test(full) ? full : undefined;
}

/** Looks at files for one call: each step of their paths once. */
export class FileSurvey {
  readonly #system: QuickSystem;
  readonly #home: string;
  readonly #cwd: string;
  readonly #known = new Map<string, InspectedFile>();

  constructor(system: QuickSystem, cwd: string, home: string) {
    this.#system = system;
    this.#cwd = cwd;
    this.#home = home;
  }

  #inspect(path: string): InspectedFile {
    let found = this.#known.get(path);
    if (!found) this.#known.set(path, (found = this.#system.inspect(path)));
    return found;
  }

  /** Whether a config file may be there for the folder: any above it is one, or can't be seen. */
  hasConfig(): boolean {
    const files = [getManagedConfig(), [this.#home, ...getUserConfigSteps()].join("/")];
    for (let at = this.#cwd; ; at = at.slice(0, at.lastIndexOf("/"))) {
      files.push(`${at}/${PROJECT_CONFIG}`);
      if (at === "") break;
    }
    for (const file of files) if (this.#inspect(file).kind !== "absent") return true;
    return false;
  }

  /**
   * Whether a path is what it is called: no step of it is a link or the root of a mount that may show a folder of the
   * user's, and the file has no other name.
   * @param path an absolute path without `..`.
   */
  isPlain(path: string): boolean {
    for (let at = path.indexOf("/", 1); ; at = path.indexOf("/", at + 1)) {
      const step = at < 0 ? path : path.slice(0, at);
      const { kind, device } = this.#inspect(step);
      if (kind === "absent") return true;
      if (kind === "other" || (kind === "mount" && !this.#isOwnMount(step, device))) return false;
      if (at < 0) return true;
    }
  }

  /** Whether a file is as large as this executable, and may be a copy of it. */
  isOwnCopy(path: string): boolean {
    const { kind, size } = this.#inspect(path);
    return kind === "file" && size === this.#inspect(process.execPath).size;
  }

  /** Whether a mount is the one that the home folder is seen through, or shows another device than that and `/etc`. */
  #isOwnMount(path: string, device: string): boolean {
    if (`${this.#home}/`.startsWith(`${path}/`)) return true;
    return (
      `${this.#cwd}/`.startsWith(`${path}/`) &&
      device !== this.#inspect(this.#home).device &&
      device !== this.#inspect("/etc").device
    );
  }
}
