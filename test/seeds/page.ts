import { type Claim, claimsOf, isChecked, reasonOf, type SeedDocument, verdictOf } from "./claim.ts";

const INTRO = `# The source documents, claim by claim

bridge-hooks was specified by five documents: the capability matrix, which is the contract, and four descriptions of the hosts, some of them
older than today's hosts. For each of their statements about hooks, this page says whether it holds here. Where a document and a real host
differ, the host wins. Statements about a host that a hook program can neither see nor change (partners, prices, plans, the host's own user
interface) are left out.

- **same**: the statement holds here.
- **differs**: it does not hold here, with the reason and its source: what real hosts were seen to do carries their release and the date.
- **missing**: bridge-hooks does not have it, with what to do instead.
- ● a test runs it, mostly on the built executable: \`npx bun test test/seeds/seeds.test.ts\`.

The page is generated from the statements and tests in \`test/seeds/\` (\`npm run docs\`).`;

/** The formatter leaves what is between them as it is. */
const [GENERATED, END] = ["<!-- prettier-ignore-start -->", "<!-- prettier-ignore-end -->"];

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const row = (...cells: (string | number)[]) => `| ${cells.map((one) => cell(String(one))).join(" | ")} |`;
const count = (claims: readonly Claim[], verdict: string) =>
  claims.filter((claim) => verdictOf(claim) === verdict).length;

function summary(documents: readonly SeedDocument[]): string {
  const line = (title: string, claims: readonly Claim[]) =>
    row(
      title,
      claims.length,
      count(claims, "same"),
      count(claims, "differs"),
      count(claims, "missing"),
      claims.filter(isChecked).length,
    );
  return [
    row("document", "claims", "same", "differs", "missing", "●"),
    row("---", "--:", "--:", "--:", "--:", "--:"),
    ...documents.map((document) => line(document.title, claimsOf(document))),
    line("all", documents.flatMap(claimsOf)),
  ].join("\n");
}

function section({ title, claims }: SeedDocument["sections"][number]): string {
  const lines = claims.map((claim) =>
    row(isChecked(claim) ? "●" : "", claim.says, `**${verdictOf(claim)}**`, reasonOf(claim)),
  );
  return [`### ${title}`, "", row("", "claim", "here", "because"), row("---", "---", "---", "---"), ...lines].join(
    "\n",
  );
}

/** The page of all documents. */
export const page = (documents: readonly SeedDocument[]): string =>
  [
    INTRO,
    GENERATED,
    summary(documents),
    ...documents.flatMap((document) => [
      `## ${document.title}\n\n${document.about}`,
      ...document.sections.map(section),
    ]),
    END,
  ].join("\n\n") + "\n";
