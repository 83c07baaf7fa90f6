/** How one form of a secret is recognized. */
export interface SecretRule {
  /** What it is for, as `secrets()` names it: "github-token". Several rules may share a kind. */
  kind: string;
  /** Who issues it. */
  issuer: string;
  /** Literal pieces, one of which every such secret has; without blanks. The text is searched for them first. */
  prefixes: readonly string[];
  /**
   * Sticky: it is tried where the secret would begin. The secret is the group `value`, or the whole match. Every
   * repetition has an upper limit, so that the time for one place does.
   */
  pattern: RegExp;
  /** Where the issuer documents the form or its prefix. Default: unverified. */
  source?: string;
  /**
   * Where the literal piece stands. At the secret's `start` (by default): there a word begins, and at least 20
   * characters follow without a blank. `inside` it, with so many characters in front as `lead` says. Or `before` it: a
   * name or a header line, within a longer word maybe.
   */
  position?: "start" | "inside" | "before";
  /** The fewest and the most characters in front of a literal piece `inside` the secret. */
  lead?: readonly [fewest: number, most: number];
  /** What else tells a secret from what looks like one. */
  isSecret?: (secret: string) => boolean;
}

/** What no name in a row of small letters and hyphens has: for forms that say little else. */
export const hasBothCases = (secret: string): boolean => /[a-z]/.test(secret) && /[A-Z]/.test(secret);
