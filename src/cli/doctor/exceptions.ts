import type { Finding } from "../../protocol/host/install.ts";
import { createNote, createRedFinding } from "../../hosts/setup/findings.ts";
import { collectExceptions } from "../../operate/policy/exceptions.ts";
import { summarizeException } from "../allow/text.ts";
import { getOwnCommand } from "../../system/own-command.ts";

const LIST = `${getOwnCommand()} allow list`;

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
            "what it covers passes, although a hook denies it",
            `${getOwnCommand()} allow revoke ${id} takes it back`,
          )
        : createNote(
            "exception",
            summarizeException(listed),
            "it has no effect any more",
            `${LIST} shows it, and removes it once it is over`,
          );
    }),
    ...voids.map(({ path, flaw }) =>
      createRedFinding(
        "exception-void",
        `${path} does not count as an exception: ${flaw}`,
        "nothing passes because of it; whoever made it may have tried to get round the policy",
        "look who wrote it, and delete it",
      ),
    ),
    ...(problem === undefined
      ? []
      : [createRedFinding("exceptions-unread", problem, "no exception counts until then", "correct that file")]),
  ];
}
