import { type Command, knownOptions } from "bridge-hooks";

/** Maps container images to the programs they run, if the names differ. */
export const IMAGE_PROGRAMS: Readonly<Record<string, string>> = {
  "aws-cli": "aws",
  "azure-cli": "az",
  "google-cloud-cli": "gcloud",
  "cloud-sdk": "gcloud",
  "pulumi-base": "pulumi",
  opentofu: "tofu",
};

/**
 * Returns the command that a container image runs with the arguments after its name, as in
 * `docker run hashicorp/terraform destroy`.
 */
export function readImageCommand(command: Command): Command | undefined {
  const { program, args } = command;
  if (!/^(?:docker|podman|nerdctl)$/.test(program)) return undefined;
  let at = args[0] === "container" ? 1 : 0;
  if (args[at] !== "run") return undefined;
  for (at++; args[at]?.startsWith("-"); at += knownOptions("docker run", args, at)?.words ?? 1)
    if (args[at]?.startsWith("--entrypoint")) return undefined;
  const image = args[at] ?? "";
  const name = /^[\w.-]+(?=[:@]|$)/.exec(image.slice(image.lastIndexOf("/") + 1))?.[0] ?? "";
  if (name === "") return undefined;
  const dynamic = Object.fromEntries(
    Object.entries(command.dynamic).map(([index, word]) => [Number(index) - at - 1, word]),
  );
  const imageProgram = Object.hasOwn(IMAGE_PROGRAMS, name) ? (IMAGE_PROGRAMS[name] as string) : name;
  return { ...command, program: imageProgram, args: args.slice(at + 1), dynamic, remote: true };
}
