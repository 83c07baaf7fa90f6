import type { Payload } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";

/** One call of an executable whose only hook takes every event and answers what `answer` says. Whatever is left out is not looked at. */
export interface ClaimCase {
  /** As in `--host <id>`; absent: the payload has to say it. */
  host?: string;
  /** Further arguments. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** What the host sends. */
  stdin: Payload | string;
  /** What the hook returns. */
  answer?: IHookResponse;
  /** What the hook is shown, as far as it matters; `null`: it is not asked. */
  sees?: Payload | null;
  /** All of stdout: its JSON document, or "" for nothing. */
  stdout?: unknown;
  stderr?: RegExp | "";
  exit_code?: number;
}

/** One statement of a document that concerns hooks, in words of this project. */
export type Claim = {
  says: string;
  /** Calls of the executable that show it (or, where it differs, the difference). */
  cases?: readonly ClaimCase[];
  /** Anything else that shows it, with the executable of the cases. @throws Error where it does not hold. */
  check?: (executable: string) => void | Promise<void>;
} & (
  | {}
  /** Why it is otherwise here, with the source and date of that in brackets. */
  | { differs: string }
  /** Why it is not here, and what to do instead. */
  | { missing: string }
);

export interface ClaimSection {
  title: string;
  claims: readonly Claim[];
}

/** One of the documents that the product was asked for in. */
export interface SeedDocument {
  title: string;
  /** What it is, and of when. */
  about: string;
  sections: readonly ClaimSection[];
}

export type ClaimVerdict = "same" | "differs" | "missing";

export const getVerdict = (claim: Claim): ClaimVerdict =>
  "differs" in claim ? "differs" : "missing" in claim ? "missing" : "same";
export const getReason = (claim: Claim): string =>
  "differs" in claim ? claim.differs : "missing" in claim ? claim.missing : "";
/** Whether a test shows it. */
export const isChecked = ({ cases = [], check }: Claim) => cases.length > 0 || check !== undefined;
export const listClaims = ({ sections }: SeedDocument): Claim[] => sections.flatMap(({ claims }) => claims);
