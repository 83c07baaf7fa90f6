import type { Payload } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";

/**
 * One call of an executable whose only hook subscribes to every event and responds with `answer`. Omitted fields aren't
 * checked. If only `sees` is checked, no process is started.
 */
export interface ClaimCase {
  /** Host in `--host <id>`; if absent, the host is detected from the payload. */
  host?: string;
  /** Additional arguments. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Payload from the host. */
  stdin: Payload | string;
  /** Response from the hook. */
  answer?: IHookResponse;
  /** Event fields that the hook sees; `null` if the hook doesn't run. */
  sees?: Payload | null;
  /** Complete stdout: a JSON document, or "" for no output. */
  stdout?: unknown;
  stderr?: RegExp | "";
  exit_code?: number;
}

/**
 * A file under `test/` and the part that shows the statement: the title of a test or group (with `…` for variable
 * parts), the strings that start a row of a test table or, in a .tsv file, the first column of a row.
 */
export type TestReference = readonly [file: string, title: string];

/** A statement from a document about hooks, in this project's terms. */
export type Claim = {
  says: string;
  /** Calls of the executable that prove the statement or, if the behavior differs, the difference. */
  cases?: readonly ClaimCase[];
  /** Any other proof, run with the cases' executable. @throws Error if the proof fails. */
  check?: (executable: string) => void | Promise<void>;
  /** Tests in other directories that show the statement. */
  shownBy?: readonly TestReference[];
} & (
  | {}
  /** How and why the behavior differs, with source and date in brackets. */
  | { differs: string }
  /** Why the feature is missing, and what to do instead. */
  | { missing: string }
);

export interface ClaimSection {
  title: string;
  claims: readonly Claim[];
}

type Check = NonNullable<Claim["check"]>;
/** The proof of a statement, or the reason why the statement doesn't hold unchanged. */
export type Proof = `differs: ${string}` | `missing: ${string}` | readonly (ClaimCase | TestReference)[] | Check;
/** Statements with their proofs and remarks. Instead of a list, a function may be the only proof. */
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
  /** Description of the document, including its date. */
  about: string;
  /** The only host that the document is about. */
  host?: string;
  sections: readonly ClaimSection[];
}

export type ClaimVerdict = "same" | "differs" | "missing";

export const getVerdict = (claim: Claim): ClaimVerdict =>
  "differs" in claim ? "differs" : "missing" in claim ? "missing" : "same";
export const getReason = (claim: Claim): string =>
  "differs" in claim ? claim.differs : "missing" in claim ? claim.missing : "";
/** Whether a test in this directory proves the statement. */
export const isRunHere = ({ cases = [], check }: Claim) => cases.length > 0 || check !== undefined;
/** Whether any test proves the statement, here or elsewhere. */
export const isChecked = (claim: Claim) => isRunHere(claim) || (claim.shownBy ?? []).length > 0;
export const listClaims = ({ sections }: SeedDocument): Claim[] => sections.flatMap(({ claims }) => claims);
