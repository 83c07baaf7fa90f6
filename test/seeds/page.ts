import { formatTable } from "../../tools/docs/table.ts";
import {
  type Claim,
  type ClaimSection,
  type ClaimVerdict,
  getReason,
  getVerdict,
  isChecked,
  listClaims,
  type SeedDocument,
} from "./claim.ts";

/** Path of the generated page, relative to the repository. */
export const PAGE = "docs/reference/conformance.md";

/** The formatter doesn't change the text between these markers. */
const [GENERATED, END] = ["<!-- prettier-ignore-start -->", "<!-- prettier-ignore-end -->"];

const countClaims = (claims: readonly Claim[], verdict: ClaimVerdict) =>
  claims.filter((claim) => getVerdict(claim) === verdict).length;

function formatIntro(documents: readonly SeedDocument[]): string {
  const claims = documents.flatMap(listClaims);
  return `# Conformance

Five documents specify bridge-hooks in ${claims.length} statements. Of these, ${countClaims(claims, "same")} hold, ${countClaims(claims, "differs")} differ because a real host behaves differently, and ${countClaims(claims, "missing")} are missing. Tests check ${claims.filter(isChecked).length} of the statements.

\`\`\`sh
npm test -- test/seeds/seeds.test.ts
\`\`\`

Each item quotes a statement, followed by the actual behavior and its evidence. Statements with the same reason share an item, which quotes only the first and counts the others (+1). \`npm test -- --titles test/seeds\` prints all statements.`;
}

function formatCounts(document: SeedDocument): string[] {
  const claims = listClaims(document);
  const counts = (["same", "differs", "missing"] as const).map((verdict) => countClaims(claims, verdict));
  return [document.about, ...counts.map(String)];
}

const formatDocuments = (documents: readonly SeedDocument[]): string =>
  `## Documents\n\n${formatTable([["Document", "Hold", "Differ", "Missing"], ...documents.map(formatCounts)])}`;

/** Quotes the first of the statements with the same reason, and counts the others. */
const formatStatements = ([first, ...others]: readonly Claim[]): string =>
  `"${first?.says}"${others.length > 0 ? ` (+${others.length})` : ""}`;

/** Formats the statements that have this verdict, grouped by reason. */
const formatReasons = (claims: readonly Claim[], verdict: ClaimVerdict): string =>
  [
    ...Map.groupBy(
      claims.filter((claim) => getVerdict(claim) === verdict),
      getReason,
    ),
  ]
    .map(([reason, group]) => `- ${formatStatements(group)}. **Actual:** ${reason}.`)
    .join("\n");

/** Hosts in the order of the page, with the release on which most differences were seen. */
const RELEASES: Readonly<Record<string, string>> = {
  "Claude Code": "2.1.330",
  Codex: "0.169.0",
  Cursor: "@cursor/sdk 1.0.32",
  OpenCode: "1.18.33",
  OpenClaw: "2026.9.6",
};
const SEVERAL = "several hosts";

/** Returns the host that a difference is about: the host whose release is the source, or the document's subject. */
function getSubject({ host }: SeedDocument, { title }: ClaimSection, claim: Claim): string {
  const [subject, ...others] = Object.keys(RELEASES).filter((one) =>
    getReason(claim).includes(RELEASES[one] as string),
  );
  if (others.length > 0) return SEVERAL;
  return subject ?? host ?? Object.keys(RELEASES).find((one) => title.startsWith(`${one}:`)) ?? SEVERAL;
}

/** Formats a host's differences. The source that most of them share is named once, before the list. */
function formatHost(host: string, claims: readonly Claim[]): string {
  const release = RELEASES[host];
  const heading = `## Differs: ${host}`;
  const items = formatReasons(claims, "differs");
  if (release === undefined) return `${heading}\n\n${items}`;
  const source = new RegExp(` \\[seen ${RegExp.escape(release)}, (\\d{4}-\\d\\d-\\d\\d)\\]`, "g");
  const dates = [...new Set([...items.matchAll(source)].map(([, date]) => date as string))].toSorted();
  const period = dates.length > 1 ? `${dates[0]} to ${dates.at(-1)}` : dates[0];
  return `${heading}\n\nItems without a source were [seen ${release}, ${period}].\n\n${items.replaceAll(source, "")}`;
}

const withHeading = (heading: string, text: string) => (text === "" ? [] : [`${heading}\n\n${text}`]);

/**
 * Formats the page of all documents. The first document is the contract, and differences from the contract come first,
 * with the other documents' statements that have the same reasons.
 */
export function formatPage(documents: readonly SeedDocument[]): string {
  const [contract, ...others] = documents;
  const claims = documents.flatMap(listClaims);
  const contractReasons = new Set(contract && listClaims(contract).map(getReason));
  const differences = others.flatMap((document) =>
    document.sections.flatMap((section) =>
      section.claims
        .filter((claim) => getVerdict(claim) === "differs" && !contractReasons.has(getReason(claim)))
        .map((claim) => ({ claim, host: getSubject(document, section, claim) })),
    ),
  );
  const ofContract = claims.filter((claim) => contractReasons.has(getReason(claim)));
  return `${[
    formatIntro(documents),
    GENERATED,
    ...withHeading("## Differs from the contract", formatReasons(ofContract, "differs")),
    ...withHeading("## Missing", formatReasons(claims, "missing")),
    ...[...Object.keys(RELEASES), SEVERAL].map((subject) =>
      formatHost(
        subject,
        differences.filter(({ host }) => host === subject).map(({ claim }) => claim),
      ),
    ),
    formatDocuments(documents),
    END,
  ].join("\n\n")}\n`;
}
