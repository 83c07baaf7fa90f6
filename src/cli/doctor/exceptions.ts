import type { Finding } from "../../protocol/host/install.ts";
import { createNote, createRedFinding } from "../../hosts/setup/findings.ts";
import { collectExceptions } from "../../operate/policy/exceptions.ts";
import { summarizeException } from "../allow/text.ts";
import { getOwnCommand } from "../../system/own-command.ts";

const LIST_COMMAND = `${getOwnCommand()} allow list`;

/** Reports exceptions, and invalid exception files. */
export async function checkExceptions(): Promise<Finding[]> {
  const { exceptions, voids, problem } = await collectExceptions();
  return [
    ...exceptions.map((listed) => {
      const { id } = listed.exception;
      return listed.state === "in force"
        ? createNote(
            "exception",
            summarizeException(listed),
            "it allows calls that a hook denies",
            `to revoke it: ${getOwnCommand()} allow revoke ${id}`,
          )
        : createNote(
            "exception",
            summarizeException(listed),
            "it no longer has any effect",
            `to list it, and remove it if expired: ${LIST_COMMAND}`,
          );
    }),
    ...voids.map(({ path, flaw }) =>
      createRedFinding(
        "exception-void",
        `${path} is not a valid exception: ${flaw}`,
        "it has no effect, but may be an attempt to bypass the policy",
        "find out who created it, and delete it",
      ),
    ),
    ...(problem === undefined
      ? []
      : [createRedFinding("exceptions-unread", problem, "no exception applies until this is fixed", "fix that file")]),
  ];
}
