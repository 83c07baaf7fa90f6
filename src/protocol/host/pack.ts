import type { FailurePolicy } from "../hook.ts";
import type { DesiredEntry } from "./install.ts";

/** A file of the enterprise pack. */
export interface PackFile {
  /** Path inside the pack, with "/". */
  path: string;
  text: string;
  /** Defaults to UTF-8. */
  encoding?: "utf-16le";
  /** Contents of a binary file. */
  bytes?: Uint8Array;
  /**
   * Path of the file on a client, in its system's notation. Absent if the file is uploaded, imported or run instead.
   */
  target?: string;
  /** A path that exists on a client once the profile in this file is delivered. */
  deliveredPath?: string;
  /** Where and how an administrator deploys the file. */
  deployment: string;
  /** How the host shows on a client that it has loaded the file. */
  loadedSign?: string;
  /** How to undo the deployment. */
  undo?: string;
  /** Notes to read before deployment. A note about several files has the same text in each. */
  notes?: readonly string[];
  /** The host that reads the file; absent if none does. */
  host?: string;
  os: readonly ("linux" | "macos" | "windows")[];
  /** Delivery channels; empty for a file that no client receives. */
  by: readonly ("jamf" | "intune" | "kandji" | "files")[];
}

/** Parameters of a host's part of the enterprise pack. */
export interface PackSpec {
  /** Path of the executable on each operating system. */
  programs: Readonly<Record<"linux" | "macos" | "windows", string>>;
  on_error: FailurePolicy;
  /** Flags for the host's own options. */
  more: readonly string[];
  /** Events given on the command line; if empty, the events that the hooks want. */
  events: readonly string[];
  /** Plans the host's entries on an operating system, as an installation there would. */
  planEntries: (system: keyof PackSpec["programs"]) => readonly DesiredEntry[];
}

/** Parameters of a marketplace directory: the name, version and description of its plugin. */
export interface PluginSpec extends PackSpec {
  name: string;
  version: string;
  description: string;
}

/** Builds a marketplace directory that contains one plugin per operating system, which adds our entries. */
export type PluginBuilder = (order: PluginSpec) => PackFile[];
