import {
  type Claim,
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

Five documents specify bridge-hooks in ${claims.length} statements. ${countClaims(claims, "same")} hold, ${countClaims(claims, "differs")} differ because a real host behaves differently, and ${countClaims(claims, "missing")} are missing. Tests check ${claims.filter(isChecked).length} of the statements.

\`\`\`sh
npm test -- test/seeds/seeds.test.ts
\`\`\`

Each item shows the documented statement in bold, followed by the actual behavior with the release and date of the evidence.`;
}

const formatCounts = ({ title, about, ...document }: SeedDocument) => {
  const claims = listClaims({ title, about, ...document });
  const verdicts = (["same", "differs", "missing"] as const).map((verdict) => countClaims(claims, verdict));
  return `- **${title}**: ${about} ${verdicts[0]} statements hold, ${verdicts[1]} differ, ${verdicts[2]} are missing.`;
};

/** Formats the statements with a verdict, grouped by reason. */
const formatReasons = (claims: readonly Claim[], verdict: ClaimVerdict): string =>
  [
    ...Map.groupBy(
      claims.filter((claim) => getVerdict(claim) === verdict),
      getReason,
    ),
  ]
    .map(([reason, group]) => `- **${group.map(({ says }) => says).join("**; **")}**: ${reason}.`)
    .join("\n");

const withHeading = (heading: string, text: string) => (text === "" ? [] : [`${heading}\n\n${text}`]);

/**
 * Formats the page of all documents. The first document is the contract, and differences from the contract come first.
 */
export function formatPage(documents: readonly SeedDocument[]): string {
  const [contract, ...others] = documents;
  return `${[
    formatIntro(documents),
    GENERATED,
    ...withHeading("## Differs from the contract", contract ? formatReasons(listClaims(contract), "differs") : ""),
    ...withHeading("## Missing", formatReasons(documents.flatMap(listClaims), "missing")),
    `## Documents\n\n${documents.map(formatCounts).join("\n")}\n\n\`npm test -- --titles test/seeds\` prints all statements.`,
    ...others.flatMap((document) =>
      withHeading(`## Differs: ${document.title}`, formatReasons(listClaims(document), "differs")),
    ),
    END,
  ].join("\n\n")}\n`;
}
