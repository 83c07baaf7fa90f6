import type { ProgramRules } from "./pattern.ts";

const OFF = "it shuts the machine down";

export const systemRules: ProgramRules = {
  shutdown: { "!-c|-k|--show": OFF },
  "reboot|halt|poweroff": { "!-w|--wtmp-only": OFF },
  "init|telinit": { "0|1|6|s|S": OFF },
  systemctl: {
    "poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|isolate": OFF,
    "stop|disable|mask|kill ssh*|sshd*|network*|NetworkManager*|systemd-*|dbus*|firewalld*|ufw*":
      "the machine may not be reached any more",
  },
  service: { "ssh|sshd|network|networking|network-manager stop": "the machine may not be reached any more" },
  kill: { "1": "it stops the whole system", "<everyone>": "it ends every process" },
  killall5: { "": "it ends every process" },
  crontab: { "-r": "it deletes all of the user's jobs; save them first with crontab -l" },
  "iptables|ip6tables": { "-F|--flush|-X|--delete-chain": "it takes down the firewall" },
  nft: { "flush|delete ruleset|table|chain": "it takes down the firewall" },
  ufw: { "disable|reset": "it takes down the firewall" },
  "userdel|deluser": { "": "it deletes a user" },
  "groupdel|delgroup": { "": "it deletes a group" },
  dscl: { "** -delete": "it deletes a user" },
  "apt|apt-get": { "--allow-remove-essential": "the system needs what it removes" },
  rpm: { "-e|--erase --nodeps": "the system may need what it removes" },
  tmutil: { "delete*|disable": "backups are gone" },
  "vssadmin|wbadmin": { delete: "backups are gone" },
  bcdedit: { "/delete*": "the machine may not start any more" },
  reg: { delete: "settings are gone" },
  efibootmgr: { "-B|--delete-bootnum": "the machine may not start any more" },
};
