import type { Concerns } from "bridge-hooks";
import { FILE_PIECES, KEEPER_PROGRAMS } from "./hints.build.ts";
import { ENVIRONMENT_DUMPS, ENVIRONMENT_PIECE } from "./printing-rules.ts";

/** A program as it is called, with the ending of its file, and as the value of an option: `su -c'gh auth token'`. */
const listSpellings = (name: string) => [name, `${name}.*`, `-c${name}`];

/** What a call has to mention to concern `protect-secrets`; the build computes it. */
export const CONCERNS: Concerns = {
  words: [
    ...[...KEEPER_PROGRAMS, ...Object.keys(ENVIRONMENT_DUMPS), "ps", "powershell", "pwsh", "cmd"].flatMap(
      listSpellings,
    ),
    ..."terraform output,tofu output,terraform.exe output,tofu.exe output".split(","),
    ..."local commit".split(" "),
  ],
  texts: [...FILE_PIECES, "credential", "inspect", "environ", `.${ENVIRONMENT_PIECE}`, "getenv"],
  contents: "secrets",
  narrowedBy: ["allow", "ignore"],
  ruleCategories: ["secrets"],
};
