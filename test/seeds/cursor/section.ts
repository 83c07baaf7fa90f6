import type { Claim, ClaimCase, ClaimSection, TestReference } from "../claim.ts";

/** @throws Error if a statement doesn't hold. */
export type Check = NonNullable<Claim["check"]>;
type Proof = string | Check | ClaimCase;
type Part = Proof | readonly Proof[];
const REMARK = /^(differs|missing|shown by ([^:]+)): (.*)$/;

/**
 * Builds the sections of the document.
 *
 * @param parts in order: "# " and a section's title, then the section's statements. A statement may be followed by
 * "differs: " or "missing: " with the reason, by "shown by <file>: <title>", by checks, and by calls of the executable.
 * Parts that fit on one line may be an array.
 */
export function sections(...parts: Part[]): ClaimSection[] {
  const found: { title: string; claims: Claim[] }[] = [];
  for (const part of parts.flat()) {
    const claims = found.at(-1)?.claims ?? [];
    const { check: before, cases = [], shownBy = [] } = claims.at(-1) ?? {};
    const add = (more: object) => void Object.assign(claims.at(-1) as Claim, more);
    if (typeof part === "function")
      add({ check: async (executable: string) => (await before?.(executable), part(executable)) });
    else if (typeof part === "object") add({ cases: [...cases, part] });
    else {
      const [, kind = "", file, text = ""] = REMARK.exec(part) ?? [];
      if (file) add({ shownBy: [...shownBy, [file, text] satisfies TestReference] });
      else if (kind) add({ [kind]: text });
      else if (part.startsWith("# ")) found.push({ title: part.slice(2), claims: [] });
      else claims.push({ says: part });
    }
  }
  return found;
}

/** References recorded payloads, each with the decoded event, tool and input. */
export const recorded = (...files: string[]): string[] =>
  files.map((file) => `shown by hosts/cursor/recordings/cursor-sdk-1.0.32/expected.tsv: ${file}`);
