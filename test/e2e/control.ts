/** A guard as anybody would compile it: it denies every call, and nothing protects it. */
import { readFileSync, writeSync } from "node:fs";

readFileSync(0);
writeSync(2, "no, says the guard\n");
process.exit(2);
