import type { Claim, ClaimCase, ClaimSection, TestReference } from "../claim.ts";

/** @throws Error if a statement does not hold. */
export type Check = NonNullable<Claim["check"]>;
type Proof = string | Check | ClaimCase;
type Part = Proof | readonly Proof[];
const REMARK = /^(differs|missing|shown by ([^:]+)): (.*)$/;

/**
 * Sections of the document.
 * @param parts "# " and a section's title; its statements; and after each statement what there is of "differs: " or
 *   "missing: " with the reason, "shown by <file>: <title>", checks, and calls of the executable. What fits on a line
 *   may be a list.
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

/** The recorded payloads with these names, each with the event, tool and input that it is decoded to. */
export const recorded = (...files: string[]): string[] =>
  files.map((file) => `shown by hosts/cursor/recordings/cursor-sdk-1.0.32/expected.tsv: ${file}`);
