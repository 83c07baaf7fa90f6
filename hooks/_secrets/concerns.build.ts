import type { Concerns } from "bridge-hooks";
import { FILE_PIECES, KEEPER_PROGRAMS } from "./hints.build.ts";

/** What a call has to mention to concern `protect-secrets`; the build computes it. */
export const CONCERNS: Concerns = {
  words: [
    ...KEEPER_PROGRAMS,
    ..."terraform output,tofu output".split(","),
    ..."env env.* set export declare typeset readonly local printenv ps powershell powershell.* pwsh pwsh.* commit".split(
      " ",
    ),
  ],
  texts: [...FILE_PIECES, "credential", "inspect", "environ", ".env", "getenv"],
  contents: "secrets",
};
