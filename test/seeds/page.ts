import {
  type Claim,
  type ClaimVerdict,
  getReason,
  getVerdict,
  isChecked,
  isRunHere,
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

Of the ${claims.length} statements in the five documents that specify bridge-hooks, ${countClaims(claims, "same")} hold, ${countClaims(claims, "differs")} differ because a real host differs, and
${countClaims(claims, "missing")} are missing; a test shows ${claims.filter(isChecked).length} of them. Differences from the contract come first, with the release and date of what was seen.

\`\`\`sh
npm test -- test/seeds/seeds.test.ts
\`\`\``;
}

const formatCounts = ({ title, about, ...document }: SeedDocument) => {
  const claims = listClaims({ title, about, ...document });
  const verdicts = (["same", "differs", "missing"] as const).map((verdict) => countClaims(claims, verdict));
  return `- **${title}**: ${verdicts[0]} hold, ${verdicts[1]} differ, ${verdicts[2]} missing. ${about}`;
};

/** Formats the statements with a verdict, grouped by reason. */
const formatReasons = (claims: readonly Claim[], verdict: ClaimVerdict): string =>
  [
    ...Map.groupBy(
      claims.filter((claim) => getVerdict(claim) === verdict),
      getReason,
    ),
  ]
    .map(([reason, group]) => `- **${group.map(({ says }) => says).join("**; **")}**: ${reason}`)
    .join("\n");

const withHeading = (heading: string, text: string) => (text === "" ? [] : [`${heading}\n\n${text}`]);

/** Lists the files whose tests show statements, in the order of their first mention. */
const listTestFiles = (documents: readonly SeedDocument[]): string[] => [
  ...new Set(documents.flatMap(listClaims).flatMap(({ shownBy = [] }) => shownBy.map(([file]) => file))),
];

/**
 * Formats a statement that holds. If no test in this directory shows it, the numbers of other test files that do are
 * added.
 */
function formatHeld(claim: Claim, files: readonly string[]): string {
  if (isRunHere(claim)) return claim.says;
  const numbers = new Set((claim.shownBy ?? []).map(([file]) => files.indexOf(file) + 1));
  return numbers.size === 0 ? `${claim.says} (not tested)` : `${claim.says}[${[...numbers].join(",")}]`;
}

/** Formats the statements of the contract that hold, by section. */
const formatHolding = ({ sections }: SeedDocument, files: readonly string[]): string =>
  sections
    .flatMap(({ title, claims }) => {
      const held = claims.filter((claim) => getVerdict(claim) === "same");
      return held.length === 0 ? [] : `- **${title}**: ${held.map((claim) => formatHeld(claim, files)).join(" · ")}`;
    })
    .join("\n");

/** Counts the statements of a description that hold, by section. */
const countHolding = ({ title, sections }: SeedDocument): string =>
  `- **${title}**: ${sections
    .map(({ title: section, claims }) => `${section} ${countClaims(claims, "same")}/${claims.length}`)
    .join(", ")}`;

/**
 * Formats the page of all documents. The first document is the contract, and differences from the contract come first.
 */
export function formatPage(documents: readonly SeedDocument[]): string {
  const [contract, ...others] = documents;
  const files = listTestFiles(documents.slice(0, 1));
  return `${[
    formatIntro(documents),
    GENERATED,
    ...withHeading("## Differs from the contract", contract ? formatReasons(listClaims(contract), "differs") : ""),
    ...withHeading("## Missing", formatReasons(documents.flatMap(listClaims), "missing")),
    `## Documents\n\n${documents.map(formatCounts).join("\n")}`,
    ...others.flatMap((document) =>
      withHeading(`## Differs: ${document.title}`, formatReasons(listClaims(document), "differs")),
    ),
    "## Holds",
    `Of the contract these hold. A test in \`test/seeds\` runs each; a number names the file under \`test/\` that shows it instead.`,
    ...(contract ? [formatHolding(contract, files)] : []),
    "Of the descriptions so many statements of each section hold; `npm test -- --titles test/seeds` prints them.",
    others.map(countHolding).join("\n"),
    files.map((file, at) => `${at + 1}. \`${file}\``).join("\n"),
    END,
  ].join("\n\n")}\n`;
}
