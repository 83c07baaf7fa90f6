import type { FailurePolicy } from "../hook.ts";
import type { DesiredEntry } from "./install.ts";

/** A file of the enterprise pack. */
export interface PackFile {
  /** Path of the file within the pack, with "/" as the separator. */
  path: string;
  text: string;
  /** Encoding of the text. Defaults to UTF-8. */
  encoding?: "utf-16le";
  /** Contents of a binary file, used instead of `text`. */
  bytes?: Uint8Array;
  /**
   * Path of the file on a client, in the client's own notation. Absent if the file is uploaded, imported or run
   * instead.
   */
  target?: string;
  /** A path that exists on a client once the profile in this file is delivered. */
  deliveredPath?: string;
  /** Instructions for deploying the file. */
  deployment: string;
  /** Where to see, on a client, that the host has loaded the file. */
  loadedSign?: string;
  /** Instructions for undoing the deployment. */
  undo?: string;
  /** Notes to read before deployment. A note that applies to several files is repeated with the same text in each. */
  notes?: readonly string[];
  /** The host that reads the file; absent if no host reads it. */
  host?: string;
  os: readonly ("linux" | "macos" | "windows")[];
  /** Delivery channels; empty for a file that is not delivered to clients. */
  by: readonly ("jamf" | "intune" | "kandji" | "files")[];
}

/** Parameters for one host's part of the enterprise pack. */
export interface PackSpec {
  /** Path of the executable on each operating system. */
  programs: Readonly<Record<"linux" | "macos" | "windows", string>>;
  on_error: FailurePolicy;
  /** Flags for the host's own options. */
  more: readonly string[];
  /** Events named on the command line. If there are none, the pack covers the events that the hooks need. */
  events: readonly string[];
  /** Plans the host's entries for an operating system exactly as an installation on that system would. */
  planEntries: (system: keyof PackSpec["programs"]) => readonly DesiredEntry[];
}

/** Parameters of a marketplace directory: the name, version and description of its plugin. */
export interface PluginSpec extends PackSpec {
  name: string;
  version: string;
  description: string;
}

/** Builds a marketplace directory with one plugin per operating system. Each plugin adds our entries. */
export type PluginBuilder = (order: PluginSpec) => PackFile[];
