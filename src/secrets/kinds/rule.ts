/** How to recognize one form of a secret. */
export interface SecretRule {
  /** The kind that `secrets()` reports: "github-token". Several rules may share a kind. */
  kind: string;
  /** The issuer of the secret. */
  issuer: string;
  /**
   * Literal pieces without whitespace, one of which is part of every such secret. Texts are first searched for these.
   */
  prefixes: readonly string[];
  /**
   * A sticky pattern that is tried at the start of the secret. The secret is the group `value` or the whole match.
   * Every repetition needs an upper limit, which bounds the time for one position.
   */
  pattern: RegExp;
  /** The page where the issuer documents the form or its prefix. Default: unverified. */
  source?: string;
  /**
   * The position of the literal piece. `start` (default): at the start of the secret, which is the start of a word,
   * with at least 20 characters without whitespace. `inside`: within the secret, after as many characters as `lead`
   * says. `before`: before the secret, as a name or header that may be part of a longer word.
   */
  position?: "start" | "inside" | "before";
  /** The minimum and maximum number of characters before a piece that is `inside` the secret. */
  lead?: readonly [fewest: number, most: number];
  /** An additional check that excludes similar strings. */
  isSecret?: (secret: string) => boolean;
}

/**
 * Whether a secret has letters of both cases, unlike hyphenated lowercase names. For forms without other distinctive
 * features.
 */
export const hasBothCases = (secret: string): boolean => /[a-z]/.test(secret) && /[A-Z]/.test(secret);
