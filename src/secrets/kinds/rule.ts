/** Describes how to recognize secrets of one format. */
export interface SecretRule {
  /** The kind of secret that `secrets()` reports, such as "github-token". Several rules may have the same kind. */
  kind: string;
  /** The issuer of the secret. */
  issuer: string;
  /**
   * Literals without whitespace. Every secret of this format contains at least one of them. The rule is tried only
   * where a text contains one of its literals.
   */
  prefixes: readonly string[];
  /**
   * A sticky pattern that is tried at the start of the secret. If the pattern has a group `value`, this group is the
   * secret; otherwise, the whole match is the secret. Every repetition needs an upper bound to limit the time per
   * position.
   */
  pattern: RegExp;
  /**
   * Page on which the issuer documents the format or its prefix. If there is no such page, the format is unverified.
   */
  source?: string;
  /**
   * Position of the literal. `start` (the default) means that the secret starts with the literal, the secret is at the
   * start of a word, and at least 20 characters without whitespace follow. `inside` means that the literal is inside
   * the secret, after the number of characters in `lead`. `before` means that the literal precedes the secret as a name
   * or header, which may be part of a longer word.
   */
  position?: "start" | "inside" | "before";
  /** Minimum and maximum number of characters between the start of the secret and a literal inside it. */
  lead?: readonly [fewest: number, most: number];
  /** An additional check that rejects similar strings. */
  isSecret?: (secret: string) => boolean;
}

/**
 * Returns whether a secret contains both uppercase and lowercase letters, unlike a hyphenated lowercase name. This
 * check is for formats without other distinctive features.
 */
export const hasBothCases = (secret: string): boolean => /[a-z]/.test(secret) && /[A-Z]/.test(secret);
