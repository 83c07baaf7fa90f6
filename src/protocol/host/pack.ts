import type { FailurePolicy } from "../hook.ts";
import type { DesiredEntry } from "./install.ts";

/** A file of the enterprise pack. */
export interface PackFile {
  /** Path inside the pack, with "/". */
  path: string;
  text: string;
  /** Default: UTF-8. */
  encoding?: "utf-16le";
  /** The content of a binary file. */
  bytes?: Uint8Array;
  /** The file's path on a client, in its system's notation; absent: it is uploaded, imported or run. */
  target?: string;
  /** A path that shows on a client that the profile in this file was delivered. */
  appears?: string;
  /** Where and how an administrator deploys the file. */
  goes: string;
  /** How the host shows on a client that it has loaded the file. */
  shown?: string;
  /** How to undo the deployment. */
  undo?: string;
  /** Notes to read before deployment; a note that applies to several files has the same text in each. */
  notes?: readonly string[];
  /** The host that reads it; absent: none does. */
  host?: string;
  os: readonly ("linux" | "macos" | "windows")[];
  /** Delivery channels; empty for a file that only assists. */
  by: readonly ("jamf" | "intune" | "kandji" | "files")[];
}

/** Parameters of a host's part of the enterprise pack. */
export interface PackSpec {
  /** Path of the executable on each system. */
  programs: Readonly<Record<"linux" | "macos" | "windows", string>>;
  on_error: FailurePolicy;
  /** Flags of the host's own options. */
  more: readonly string[];
  /** The events that were named; empty: those that the hooks want. */
  events: readonly string[];
  /** Plans the host's entries on a system, as an installation there does. */
  planEntries: (system: keyof PackSpec["programs"]) => readonly DesiredEntry[];
}

/** Parameters of a marketplace folder: what it and the plugin in it are called. */
export interface PluginSpec extends PackSpec {
  name: string;
  version: string;
  description: string;
}

/** Builds a folder with a marketplace and its one plugin for each system, which starts the entries. */
export type PluginBuilder = (order: PluginSpec) => PackFile[];
