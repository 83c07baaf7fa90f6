import type { Command } from "bridge-hooks";
import { mayPromptBeAnswered } from "../_answered.ts";
import type { OperandFinder } from "./place-finder.ts";

const SSH_PORT_PATTERN = "(?:ssh|sshd|openssh|22(?:/tcp)?)";
const DROP_TARGET = "(?:DROP|REJECT)";

interface Firewall {
  /** Arguments that block SSH connections. */
  blockPattern: RegExp;
  /** Patterns for arguments that allow SSH. All of them must match. */
  sshPatterns: readonly RegExp[];
}

const FIREWALLS: Readonly<Record<string, Firewall>> = {
  ufw: {
    blockPattern: new RegExp(
      `^(?:--force )?(?:enable$|default (?:deny|reject)(?! (?:outgoing|routed))|(?:deny|reject|delete (?:allow|limit))(?: in)? ${SSH_PORT_PATTERN}(?: |$))`,
      "i",
    ),
    sshPatterns: [/^(?:--force )?(?:insert \d{1,5} )?(?:allow|limit)\b/, /\b(?:open)?ssh\b|\b22\b/i],
  },
  iptables: {
    blockPattern: new RegExp(
      `(?:^| )(?:-P|--policy) (?:INPUT|OUTPUT) ${DROP_TARGET}$|(?:^| )(?:-[AI]|--append|--insert) (?:INPUT|OUTPUT)(?: \\d{1,5})?(?: (?:-p|--protocol) tcp)?(?: -m (?:tcp|multiport))?(?: --dports? (?:22|ssh))? (?:-j|--jump) ${DROP_TARGET}$`,
    ),
    sshPatterns: [
      /(?:-[AI]|--append|--insert) (?:INPUT|OUTPUT)\b/,
      /\b(?:22|ssh|ESTABLISHED)\b/,
      /(?:-j|--jump) ACCEPT\b/,
    ],
  },
  nft: {
    blockPattern: /\bhook (?:input|output)\b[^}]{0,200}\bpolicy drop\b|\btcp dport (?:22|ssh) (?:drop|reject)/,
    sshPatterns: [/\b(?:22|ssh|established)\b/, /\baccept\b/],
  },
  "firewall-cmd": {
    blockPattern:
      /--panic-on|--remove-service[= ]ssh\b|--remove-port[= ]22\/tcp|--set-default-zone[= ](?:drop|block)\b|--set-target[= ](?:DROP|REJECT)/,
    sshPatterns: [/--add-service[= ]ssh\b|--add-port[= ]22\/tcp/],
  },
};
const getFirewall = (program: string) => FIREWALLS[program.startsWith("ip") ? "iptables" : program];

const opensSsh = ({ program, args }: Command): boolean =>
  getFirewall(program)?.sshPatterns.every((pattern) => pattern.test(args.join(" "))) === true;

/** Returns the firewall arguments that block SSH, unless an earlier command in the same shell command allows it. */
export const findSshBlock: OperandFinder = (_, command, context) => {
  const text = command.args.join(" ");
  if (getFirewall(command.program)?.blockPattern.test(text) !== true) return undefined;
  // `ufw enable` asks for confirmation, so it only matters if something might answer the prompt.
  if (/^enable$/i.test(text) && !mayPromptBeAnswered(command, context)) return undefined;
  return context.commands.slice(0, context.commands.indexOf(command)).some(opensSsh) ? undefined : text;
};
