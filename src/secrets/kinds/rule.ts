/** Describes how to recognize one secret format. */
export interface SecretRule {
  /** The kind that `secrets()` reports, such as "github-token". Several rules may share a kind. */
  kind: string;
  /** The issuer of the secret. */
  issuer: string;
  /**
   * Literals without whitespace. Every secret of this format contains one of the literals, and texts are searched for
   * literals first.
   */
  prefixes: readonly string[];
  /**
   * A sticky pattern that is tried at the start of the secret. The secret is the group `value`, or else the whole
   * match. To limit the time per position, every repetition needs an upper bound.
   */
  pattern: RegExp;
  /** The page on which the issuer documents the format or its prefix. Without a page, the format is unverified. */
  source?: string;
  /**
   * The literal's position. `start` (default): the literal starts the secret, the secret starts a word, and at least 20
   * characters without whitespace follow. `inside`: the literal is inside the secret, after as many characters as
   * `lead` specifies. `before`: the literal precedes the secret, as a name or header that may be part of a longer word.
   */
  position?: "start" | "inside" | "before";
  /** Minimum and maximum number of characters between the start of the secret and a literal inside it. */
  lead?: readonly [fewest: number, most: number];
  /** An additional check that rejects similar strings. */
  isSecret?: (secret: string) => boolean;
}

/**
 * Returns whether a secret contains both uppercase and lowercase letters, unlike a hyphenated lowercase name. For
 * formats without other distinctive features.
 */
export const hasBothCases = (secret: string): boolean => /[a-z]/.test(secret) && /[A-Z]/.test(secret);
