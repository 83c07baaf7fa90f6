import { blog } from "./blog/index.ts";
import type { SeedDocument } from "./claim.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor/index.ts";
import { inputs } from "./inputs.ts";
import { matrix } from "./matrix.ts";

/** Documents in the order of the page. */
export const documents: readonly SeedDocument[] = [matrix, codex, cursor, blog, inputs];
