import { CLOUD_RULES } from "./clouds.ts";
import { CODE_RULES } from "./code.ts";
import { KEY_RULES } from "./keys.ts";
import { MODEL_RULES } from "./models.ts";
import { NAMED_RULES } from "./names.ts";
import { OPERATION_RULES } from "./operations.ts";
import type { SecretRule } from "./rule.ts";
import { SERVICE_RULES } from "./services.ts";

/** Rules for all known secret formats. */
export const SECRET_RULES: readonly SecretRule[] = [
  ...KEY_RULES,
  ...CODE_RULES,
  ...CLOUD_RULES,
  ...OPERATION_RULES,
  ...MODEL_RULES,
  ...SERVICE_RULES,
  ...NAMED_RULES,
];
