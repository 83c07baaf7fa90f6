import { type Claim, listClaims, isChecked, isRunHere, getReason, type SeedDocument, getVerdict } from "./claim.ts";

const INTRO = `# The source documents, claim by claim

Which claims of the five documents that specified bridge-hooks hold here, and why do the others differ?

bridge-hooks was specified by five documents: the capability matrix, which is the contract, and four descriptions of the hosts, some of them
older than today's hosts. For each of their statements about hooks, this page says whether it holds here. Where a document and a real host
differ, the host wins. Statements about a host that a hook program can neither see nor change (partners, prices, plans, the host's own user
interface) are left out.

- **same**: the statement holds here.
- **differs**: it does not hold here, with the reason and its source: what real hosts were seen to do carries their release and the date.
- **missing**: bridge-hooks does not have it, with what to do instead.
- ● a test in \`test/seeds\` runs it, on the built executable where a host gets an answer: \`npx bun test test/seeds/seeds.test.ts\`.
- ○ a test elsewhere shows it; the last column names the file and the test.

The page is generated from the statements and tests in \`test/seeds/\` (\`npm run docs\`).`;

/** The formatter leaves the text between these as it is. */
const [GENERATED, END] = ["<!-- prettier-ignore-start -->", "<!-- prettier-ignore-end -->"];

const escapeCell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const formatRow = (...cells: (string | number)[]) => `| ${cells.map((one) => escapeCell(String(one))).join(" | ")} |`;
const countClaims = (claims: readonly Claim[], verdict: string) =>
  claims.filter((claim) => getVerdict(claim) === verdict).length;

const formatMark = (claim: Claim) => (isRunHere(claim) ? "●" : isChecked(claim) ? "○" : "");
const formatReason = (claim: Claim) =>
  [getReason(claim), ...(claim.shownBy ?? []).map(([file, title]) => `\`test/${file}\`: ${title}`)]
    .filter(Boolean)
    .join("; ");

function formatSummary(documents: readonly SeedDocument[]): string {
  const line = (title: string, claims: readonly Claim[]) =>
    formatRow(
      title,
      claims.length,
      countClaims(claims, "same"),
      countClaims(claims, "differs"),
      countClaims(claims, "missing"),
      claims.filter(isChecked).length,
    );
  return [
    formatRow("document", "claims", "same", "differs", "missing", "● or ○"),
    formatRow("---", "--:", "--:", "--:", "--:", "--:"),
    ...documents.map((document) => line(document.title, listClaims(document))),
    line("all", documents.flatMap(listClaims)),
  ].join("\n");
}

function formatSection({ title, claims }: SeedDocument["sections"][number]): string {
  const lines = claims.map((claim) =>
    formatRow(formatMark(claim), claim.says, `**${getVerdict(claim)}**`, formatReason(claim)),
  );
  return [
    `### ${title}`,
    "",
    formatRow("", "claim", "here", "because"),
    formatRow("---", "---", "---", "---"),
    ...lines,
  ].join("\n");
}

/** Formats the page of all documents. */
export const formatPage = (documents: readonly SeedDocument[]): string =>
  [
    INTRO,
    GENERATED,
    formatSummary(documents),
    ...documents.flatMap((document) => [
      `## ${document.title}\n\n${document.about}`,
      ...document.sections.map(formatSection),
    ]),
    END,
  ].join("\n\n") + "\n";
