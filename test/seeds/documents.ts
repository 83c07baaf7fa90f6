import type { SeedDocument } from "./claim.ts";
import { matrix } from "./matrix.ts";

/** The documents, in the order of the page. */
export const documents: readonly SeedDocument[] = [matrix];
