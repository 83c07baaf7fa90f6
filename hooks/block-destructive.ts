import { defineHook, deny } from "bridge-hooks";
import { name } from "./_programs.ts";
import { type Command, commands, mentions } from "./_shell.ts";

/** Folders whose loss nobody wants: the root, a folder right below it, home, where one stands, and what is above. */
const PRECIOUS = /^(\/+[^/]*\/*\*?|~\/?\*?|\$\{?HOME[^/}]*\}?(\/\*?)?|\$\{?PWD\}?\/?\*?|\$\(pwd\)\/?\*?|(\.{1,2}\/)*(\.{1,2}|\.?\*)\/?)$/;
/** Of these, the ones that depend on where one stands. */
const RELATIVE = /^(\.?\*|\.\/?|\.\/\.?\*)$/;
const TEMPORARY = /^\/(var\/)?tmp\/./;
const isPrecious = (path: string, moved: boolean) => PRECIOUS.test(path) && !TEMPORARY.test(path) && !(moved && RELATIVE.test(path));
const DISKS = ["sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "mapper/"];
const isDisk = (path: string) => path.startsWith("/dev/") && DISKS.some((disk) => path.startsWith(disk, 5));

const has = (args: string[], short: string, long: string) =>
  args.some((arg) => (arg.startsWith("--") ? arg === long : new RegExp(`^-\\w*[${short}]`).test(arg)));

/** A line with none of these does nothing that is looked for here. */
const WORDS = ["rm", "find", "chmod", "chown", "dd", "wipefs", "shred", "blkdiscard", "git", "mkfs", "/dev/", "()"];

/** What a simple command would destroy, if anything. */
function harm({ words: [program = "", ...args], writes }: Command, moved: boolean): string | undefined {
  const targets = args.filter((arg) => !arg.startsWith("-"));
  const disk = writes.find(isDisk);
  if (disk) return `it overwrites the disk ${disk}`;
  switch (name(program)) {
    case "rm": {
      const lost = has(args, "rR", "--recursive") ? targets.find((target) => isPrecious(target, moved)) : undefined;
      return lost && `it deletes ${lost} with everything in it`;
    }
    case "find": {
      const from = targets[0] ?? ".";
      const deletes = args.includes("-delete") || /-exec(dir)? (\S*\/)?rm /.test(args.join(" "));
      const chosen = args.some((arg) => /^-i?(name|path|regex)$/.test(arg));
      return deletes && isPrecious(from, true) && (!chosen || /^(\/+|~\/?|\$\{?HOME\}?\/?)$/.test(from))
        ? `it deletes below ${from}`
        : undefined;
    }
    case "chmod":
    case "chown": {
      const changed = has(args, "R", "--recursive")
        ? targets.slice(1).find((target) => /^(\/+[^/]*\/*|~\/?|\$HOME\/?)$/.test(target))
        : undefined;
      return changed && `it changes every file below ${changed}`;
    }
    case "dd": {
      const disk = args.find((arg) => arg.startsWith("of=") && isDisk(arg.slice(3)));
      return disk && `it overwrites the disk ${disk.slice(3)}`;
    }
    case "wipefs":
    case "shred":
    case "blkdiscard": {
      const disk = targets.find(isDisk);
      return disk && `it wipes the disk ${disk}`;
    }
    case "git": {
      const at = args.indexOf("push");
      const rest = args.slice(at + 1);
      if (rest.includes("--dry-run") || rest.includes("-n")) return undefined;
      const forced = rest.includes("--force") || rest.some((arg) => /^-\w*f\w*$/.test(arg) || arg.startsWith("+"));
      return at >= 0 &&
        args.slice(0, at).every((arg, index) => arg.startsWith("-") || args[index - 1] === "-C" || args[index - 1] === "-c") &&
        forced
        ? "it overwrites history that others may have; push with --force-with-lease"
        : undefined;
    }
    default:
      return name(program).startsWith("mkfs") ? "it formats a disk" : undefined;
  }
}

/**
 * Keeps an agent from commands that can't be taken back: deleting the root, home or whole working folder, formatting or
 * overwriting disks, opening up the whole file system, and forced pushes.
 *
 * It reads the shell line (`cd x && sudo rm -rf /` is found, `echo "rm -rf /"` is not), but it does not run it: other
 * variables than HOME and PWD, scripts, what is piped into a shell or xargs, other languages (`python -c …`) and aliases are
 * out of its sight.
 */
export default defineHook({
  description: "Blocks shell commands that can't be taken back",
  event: "PreToolUse",
  tool: "Bash",
  order: -10,
  onError: "deny",
  handler(event) {
    const { command } = event.input;
    if (!mentions(command, WORDS)) return undefined;
    if (command.includes("()") && /:\s*\(\)\s*\{\s*:\s*\|\s*:/.test(command)) return deny("Blocked: this is a fork bomb.");
    let moved = false;
    for (const simple of commands(command)) {
      const why = harm(simple, moved);
      if (simple.words[0] === "cd" && simple.words[1] && !PRECIOUS.test(simple.words[1])) moved = true;
      if (why)
        return deny(
          `Blocked: "${simple.words.join(" ").slice(0, 200)}" can't be taken back: ${why}. Ask the user to run it if it is really wanted.`,
        );
    }
    return undefined;
  },
});
