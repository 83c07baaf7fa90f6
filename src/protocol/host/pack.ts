import type { FailurePolicy } from "../hook.ts";
import type { WantedEvent } from "./install.ts";

/** A file of the enterprise pack. */
export interface PackFile {
  /** Path inside the pack, with "/". */
  path: string;
  text: string;
  /** Default: UTF-8. */
  encoding?: "utf-16le";
  /** The content of a binary file. */
  bytes?: Uint8Array;
  /** Where and how an administrator deploys the file. */
  goes: string;
  /** How the host shows on a client that it has loaded the file. */
  shown?: string;
  /** How to undo the deployment. */
  undo?: string;
  /** Notes to read before deployment; a note that applies to several files has the same text in each. */
  notes?: readonly string[];
  os: readonly ("linux" | "macos" | "windows")[];
  /** Delivery channels; empty for a file that only assists. */
  by: readonly ("jamf" | "intune" | "kandji" | "files")[];
}

/** Parameters of the enterprise pack. */
export interface PackSpec {
  /** Path of the executable on each system. */
  programs: Readonly<Record<"linux" | "macos" | "windows", string>>;
  on_error: FailurePolicy;
  /** Flags of the host's own options. */
  more?: readonly string[];
  /** See `Setup.planSubscriptions`. */
  wanted: readonly WantedEvent[] | "all";
}
