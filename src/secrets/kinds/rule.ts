/** Describes how to recognize one secret format. */
export interface SecretRule {
  /** The kind of secret that `secrets()` reports, such as "github-token". Multiple rules can share a kind. */
  kind: string;
  issuer: string;
  /**
   * Literals without whitespace. At least one of them occurs in or before every secret of this format, so the rule is
   * tried only in those places.
   */
  prefixes: readonly string[];
  /**
   * A sticky pattern, tried at the start of the secret. The secret is the group `value` if there is one, and the whole
   * match otherwise. Give every repetition an upper bound to limit the time per position.
   */
  pattern: RegExp;
  /** The issuer's page that documents the format or its prefix. Without one, the format is unverified. */
  source?: string;
  /**
   * Where the literal appears.
   * - `start` (the default): the secret starts with the literal, at the start of a word, and is at least 20 characters
   * long.
   * - `inside`: the literal is inside the secret, after the number of characters given by `lead`.
   * - `before`: the literal is a name or header before the secret, and can be part of a longer word.
   */
  position?: "start" | "inside" | "before";
  /** For `inside`: minimum and maximum number of characters in the secret before the literal. */
  lead?: readonly [fewest: number, most: number];
  /** An additional check that rejects lookalikes. */
  isSecret?: (secret: string) => boolean;
}

/**
 * Returns whether a secret contains both uppercase and lowercase letters, which rules out hyphenated lowercase names.
 * Meant for formats with no other distinctive features.
 */
export const hasBothCases = (secret: string): boolean => /[a-z]/.test(secret) && /[A-Z]/.test(secret);
