import type { Payload } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";

/**
 * One call of an executable whose only hook takes every event and responds with `answer`. Omitted fields are not
 * checked. A call of which only `sees` is checked is answered without a process.
 */
export interface ClaimCase {
  /** As in `--host <id>`; absent: detected from the payload. */
  host?: string;
  /** Further arguments. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The host's payload. */
  stdin: Payload | string;
  /** The hook's response. */
  answer?: IHookResponse;
  /** Fields of the event that the hook sees; `null`: it does not run. */
  sees?: Payload | null;
  /** All of stdout: its JSON document, or "" for no output. */
  stdout?: unknown;
  stderr?: RegExp | "";
  exit_code?: number;
}

/**
 * A file under `test/` and what shows the statement there: the title of a test or group (variable parts are `…`), the
 * strings that a row of a table of tests begins with, or, in a .tsv file, the first column of a row.
 */
export type TestReference = readonly [file: string, title: string];

/** One statement of a document about hooks, in this project's words. */
export type Claim = {
  says: string;
  /** Calls of the executable that prove it, or, where it differs, the difference. */
  cases?: readonly ClaimCase[];
  /** Any other proof, with the executable of the cases. @throws Error if it fails. */
  check?: (executable: string) => void | Promise<void>;
  /** Tests of other rooms that show it. */
  shownBy?: readonly TestReference[];
} & (
  | {}
  /** How and why it differs here, with source and date in brackets. */
  | { differs: string }
  /** Why it is missing here, and what to do instead. */
  | { missing: string }
);

export interface ClaimSection {
  title: string;
  claims: readonly Claim[];
}

type Check = NonNullable<Claim["check"]>;
/** Why a statement does not hold as it is, or what shows it. */
export type Proof = `differs: ${string}` | `missing: ${string}` | readonly (ClaimCase | TestReference)[] | Check;
/** Statements, and what is said of each; a function is its only proof. */
export type Rows = Readonly<Record<string, readonly Proof[] | Check>>;

function createClaim(says: string, proofs: readonly Proof[]): Claim {
  const claim = { says, cases: [] as ClaimCase[], shownBy: [] as TestReference[] };
  const checks: Check[] = [];
  for (const proof of proofs) {
    if (typeof proof === "function") checks.push(proof);
    else if (typeof proof === "string") {
      const [, verdict = "", reason] = /^(\w+): (.*)/s.exec(proof) ?? [];
      Object.assign(claim, { [verdict]: reason });
    } else {
      claim.cases.push(...proof.filter((one) => "stdin" in one));
      claim.shownBy.push(...proof.filter((one): one is TestReference => !("stdin" in one)));
    }
  }
  if (checks.length === 0) return claim;
  return {
    ...claim,
    async check(executable) {
      for (const check of checks) await check(executable);
    },
  };
}

export const createSection = (title: string, rows: Rows): ClaimSection => ({
  title,
  claims: Object.entries(rows).map(([says, proofs]) =>
    createClaim(says, typeof proofs === "function" ? [proofs] : proofs),
  ),
});

/** One of the documents that describe what the product should do. */
export interface SeedDocument {
  title: string;
  /** What it is, and its date. */
  about: string;
  sections: readonly ClaimSection[];
}

export type ClaimVerdict = "same" | "differs" | "missing";

export const getVerdict = (claim: Claim): ClaimVerdict =>
  "differs" in claim ? "differs" : "missing" in claim ? "missing" : "same";
export const getReason = (claim: Claim): string =>
  "differs" in claim ? claim.differs : "missing" in claim ? claim.missing : "";
/** Whether a test of this room proves it. */
export const isRunHere = ({ cases = [], check }: Claim) => cases.length > 0 || check !== undefined;
/** Whether a test proves it, here or in another room. */
export const isChecked = (claim: Claim) => isRunHere(claim) || (claim.shownBy ?? []).length > 0;
export const listClaims = ({ sections }: SeedDocument): Claim[] => sections.flatMap(({ claims }) => claims);
