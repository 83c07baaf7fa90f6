import type { Claim, ClaimSection, TestReference } from "../claim.ts";

export type Check = (executable: string) => void | Promise<void>;
/** A check in this directory, a reference to a test elsewhere, or several of these. */
export type Proof = Check | TestReference | readonly Proof[];
/** Reason why a statement doesn't hold here. */
type Reason = { proof: Proof } & ({ differs: string } | { missing: string });

const isReference = (proof: Proof): proof is TestReference => typeof proof === "object" && typeof proof[0] === "string";
const flatten = (proof: Proof): (Check | TestReference)[] =>
  typeof proof === "function" || isReference(proof) ? [proof] : proof.flatMap(flatten);

function prove(proof: Proof): Pick<Claim, "check" | "shownBy"> {
  const all = flatten(proof);
  const shownBy = all.filter((one) => typeof one !== "function");
  const checks = all.filter((one) => typeof one === "function");
  const check: Check = async (executable) => {
    for (const one of checks) await one(executable);
  };
  return { ...(checks.length > 0 && { check }), ...(shownBy.length > 0 && { shownBy }) };
}

export const differs = (differs: string) => ({ by: (...proof: Proof[]): Reason => ({ differs, proof }) });
export const missing = (missing: string) => ({
  ...{ missing, proof: [] },
  by: (...proof: Proof[]): Reason => ({ missing, proof }),
});
/** Creates a section of statements, each with its proof or the reason why the statement doesn't hold here. */
export const section = (title: string, claims: Readonly<Record<string, Proof | Reason>>): ClaimSection => ({
  title,
  claims: Object.entries(claims).map(([says, given]) => {
    if (typeof given === "function" || !("proof" in given)) return { says, ...prove(given) };
    const reason = "differs" in given ? { differs: given.differs } : { missing: given.missing };
    return { says, ...reason, ...prove(given.proof) };
  }),
});

// References tests in other directories.

export const shown = (file: string, ...titles: readonly string[]): TestReference[] =>
  titles.map((title) => [file, title] as const);

const RELEASES = {
  claude: "claude-code-2.1.330",
  cursor: "cursor-sdk-1.0.32",
  opencode: "opencode-1.18.33",
  openclaw: "openclaw-2026.9.6",
};
export type HostId = keyof typeof RELEASES;
export const HOST_IDS = Object.keys(RELEASES) as HostId[];
/** References recorded payloads, whose event, tool and input are compared with this table. */
export const recorded = (id: HostId, ...recordings: readonly string[]) =>
  shown(`hosts/${id}/recordings/${RELEASES[id]}/expected.tsv`, ...recordings);
/** Complete answers to recorded payloads: document, stderr, exit code and losses. */
export const answers = shown("call/answers.test.ts", "the whole answer");
/** References calls of the built executable, one set per host. */
export const called = (...titles: readonly string[]) => shown("call/executable.test.ts", ...titles);
export const deniedOnFailure = called("a failing hook on …", "with --on-error deny, denies and gives its reason: …");
export const inOpenCode = (...titles: readonly string[]) => shown("hosts/plugins.test.ts", ...titles);
export const inOpenClaw = (...titles: readonly string[]) => shown("hosts/openclaw/plugin.test.ts", ...titles);
/** The plugins of both hosts share one process of the executable. */
export const oneProcess = shown("hosts/resident.test.ts", "uses one process for all calls, and ends by itself");
const script = (title: string) => shown("author/script-hosts.test.ts", title);
export const anyScript = script("is obeyed by every host in the host's own format");
export const anyAnswer = script("can answer with a document: a rewrite, an ask, a message");
