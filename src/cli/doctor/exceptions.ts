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
    ...exceptions.map((exception) => {
      const { id } = exception.exception;
      return exception.state === "in force"
        ? createNote(
            "exception",
            summarizeException(exception),
            "the exception allows calls that a hook denies",
            `to revoke it: ${getOwnCommand()} allow revoke ${id}`,
          )
        : createNote(
            "exception",
            summarizeException(exception),
            "the exception no longer has any effect",
            `to list exceptions and remove expired ones: ${LIST_COMMAND}`,
          );
    }),
    ...voids.map(({ path, flaw }) =>
      createRedFinding(
        "exception-void",
        `${path} is not a valid exception: ${flaw}`,
        "the file has no effect, but may be an attempt to bypass the policy",
        "find out who created the file, then delete it",
      ),
    ),
    ...(problem === undefined
      ? []
      : [
          createRedFinding(
            "exceptions-unread",
            problem,
            "no exception applies until this file is fixed",
            "fix that file",
          ),
        ]),
  ];
}
