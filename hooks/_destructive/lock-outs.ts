import type { CommandRule } from "./pattern.ts";

const CORE_PACKAGE_LOSS = "the system needs this package, and everything that depends on it would be removed too";
const CONNECTION_LOSS = "the machine may no longer be reachable";
/** Network interfaces that connect the machine to others, except those of containers and virtual machines. */
const NETWORK_INTERFACES = "eth*|en*|em*|wl*|ww*|bond*";

/** Rules about losing access to the machine, in the `system` category. */
export const lockOutRules: readonly CommandRule[] = [
  {
    id: "system/firewall-lock-out",
    // https://manpages.ubuntu.com/manpages/noble/man8/ufw.8.html https://firewalld.org/documentation/man-pages/firewall-cmd.html
    program: "ufw|iptables|ip6tables|iptables-legacy|iptables-nft|nft|firewall-cmd",
    pattern: "!--dry-run|-c|--check <refused>",
    reason: "it blocks connections that this command doesn't allow, such as SSH",
    advice: "first allow SSH in the same command",
    deny: [
      "ufw --force enable",
      "yes | sudo ufw enable",
      "ufw default deny incoming",
      "ufw deny 22/tcp",
      "ufw delete allow OpenSSH",
      "iptables -P INPUT DROP",
      "iptables -A INPUT -j DROP",
      "iptables -I INPUT -p tcp --dport 22 -j REJECT",
      "nft add chain inet filter input '{ type filter hook input priority 0; policy drop; }'",
      "firewall-cmd --panic-on",
      "firewall-cmd --permanent --remove-service=ssh",
    ],
    allow: [
      "ufw allow OpenSSH && ufw default deny incoming && ufw --force enable",
      "ufw allow 443/tcp",
      "ufw delete allow 8080",
      "iptables -P FORWARD DROP",
      "iptables -A INPUT -s 192.0.2.1 -j DROP",
      "iptables -A INPUT -p tcp --dport 22 -j ACCEPT && iptables -P INPUT DROP",
      "firewall-cmd --add-service=https",
    ],
  },
  {
    id: "system/packet-filter-off",
    // https://man.openbsd.org/pfctl
    program: "pfctl",
    pattern: "-d|-F",
    reason: "it disables the firewall or part of it",
    deny: ["pfctl -d", "sudo pfctl -F all"],
    allow: ["pfctl -sr", "pfctl -f /etc/pf.conf"],
  },
  {
    id: "system/network-down",
    // https://man7.org/linux/man-pages/man8/ip-link.8.html https://man7.org/linux/man-pages/man8/ip-route.8.html
    program: "ip|ifconfig|route",
    pattern: [
      `link|l ** ${NETWORK_INTERFACES} down`,
      `link|l set down ** ${NETWORK_INTERFACES}`,
      `link|l delete|del ** ${NETWORK_INTERFACES}`,
      `addr|address|a flush ** ${NETWORK_INTERFACES}`,
      "route|r|ro flush|del|delete ** default|all|main",
      "del|delete ** default",
      `${NETWORK_INTERFACES} down`,
    ],
    reason: CONNECTION_LOSS,
    deny: ["ip link set eth0 down", "sudo ip link set dev wlan0 down", "ip route del default", "ifconfig en0 down"],
    allow: ["ip link set docker0 down", "ip link show eth0", "ip route", "ifconfig eth0"],
  },
  {
    id: "system/connection-down",
    // https://networkmanager.dev/docs/api/latest/nmcli.html https://tailscale.com/kb/1080/cli
    program: "ifdown|nmcli|rfkill|tailscale",
    pattern: [
      `${NETWORK_INTERFACES}`,
      "-a|--all",
      "networking|n off",
      "radio|r wifi|all off",
      "device|dev|d disconnect|down|delete",
      "block wifi|all|wlan|wwan",
      "down|logout",
    ],
    reason: CONNECTION_LOSS,
    deny: ["ifdown eth0", "nmcli networking off", "nmcli device disconnect eth0", "tailscale down"],
    allow: ["nmcli device status", "nmcli connection down office-vpn", "tailscale status", "rfkill list"],
  },
  {
    id: "system/network-service-off",
    // https://ss64.com/mac/networksetup.html
    program: "networksetup|systemsetup",
    pattern: ["-setnetworkserviceenabled ** off", "-setairportpower ** off", "-setremotelogin ** off"],
    reason: CONNECTION_LOSS,
    deny: [
      "networksetup -setnetworkserviceenabled Wi-Fi off",
      "networksetup -setairportpower en0 off",
      "systemsetup -f -setremotelogin off",
    ],
    allow: ["networksetup -listallnetworkservices", "systemsetup -getremotelogin"],
  },
  {
    id: "system/init-service-stop",
    // https://wiki.gentoo.org/wiki/OpenRC https://smarden.org/runit/sv.8
    program: "rc-service|initctl|sv|launchctl",
    pattern: [
      "ssh|sshd|net.*|networking|NetworkManager stop",
      "stop|down ssh|sshd|networking|network",
      "unload|bootout|disable ** */ssh.plist|*openssh.sshd*",
    ],
    reason: CONNECTION_LOSS,
    deny: ["rc-service sshd stop", "sv down sshd", "launchctl unload -w /System/Library/LaunchDaemons/ssh.plist"],
    allow: ["rc-service nginx stop", "sv status sshd", "launchctl unload ~/Library/LaunchAgents/app.plist"],
  },
  {
    id: "system/password-lock",
    // https://man7.org/linux/man-pages/man1/passwd.1.html
    program: "passwd",
    pattern: "-l|--lock",
    reason: "the user could no longer log in with a password",
    deny: ["passwd -l root", "sudo passwd --lock me"],
    allow: ["passwd -S me", "passwd -u me"],
  },
  {
    id: "system/account-lock",
    // https://man7.org/linux/man-pages/man8/usermod.8.html https://man7.org/linux/man-pages/man1/chage.1.html
    program: "usermod|chage",
    pattern: ["-L|--lock", "-E|-e|--expiredate ** 0|1"],
    reason: "the user could no longer log in",
    deny: ["sudo usermod -L me", "usermod --lock me", "chage -E 0 me", "usermod --expiredate 1 me"],
    allow: ["usermod -U me", "chage -l me", "usermod -l newname oldname", "chage -E 2030-01-01 me"],
  },
  {
    id: "system/groups-replace",
    // https://man7.org/linux/man-pages/man8/usermod.8.html
    program: "usermod",
    pattern: "-G|--groups !-a|--append|-r|--remove",
    reason: "it removes the user from every group that isn't listed, possibly including the sudo group",
    advice: "add -a to keep the other groups",
    deny: ["usermod -G docker me", "sudo usermod --groups docker me"],
    allow: ["usermod -aG docker me", "usermod -a -G docker me", "usermod --append --groups docker me"],
  },
  {
    id: "system/administrator-remove",
    program: "gpasswd|deluser|delgroup",
    pattern: ["-d|--delete * sudo|wheel|admin", "!-a|--add|-A|-M * sudo|wheel|admin"],
    reason: "the user could no longer use sudo",
    deny: ["gpasswd -d me sudo", "deluser me sudo", "sudo gpasswd --delete me wheel"],
    allow: ["gpasswd -d admin docker", "deluser me docker", "adduser me sudo", "gpasswd -a me docker"],
  },
  {
    id: "system/permissions-none",
    program: "chmod",
    pattern: [
      "000|0|0000|a-rwx|a=|ugo-rwx <folder>",
      "000|0|0000|a-rwx|a=|ugo-rwx <file>",
      "-R|--recursive 000|0|0000|a-rwx|a=|ugo-rwx <outside>",
    ],
    reason: "nobody could access the files anymore",
    deny: [
      "chmod 000 ~/.ssh",
      "chmod 000 /etc/passwd",
      "sudo chmod 0 /usr/bin",
      "chmod -R 000 .",
      "chmod -R a-rwx C:/Users/me/Documents/2019",
    ],
    allow: ["chmod 000 build/locked.txt", "chmod 700 ~/.ssh"],
  },
  {
    id: "system/remove-core-package",
    program: "apt|apt-get|aptitude|dnf|yum|zypper",
    pattern: "** remove|purge|autoremove|erase <core> !-s|--simulate|--dry-run|--just-print|--assumeno",
    reason: CORE_PACKAGE_LOSS,
    deny: ["sudo dnf remove -y python3", "apt-get purge -y systemd", "apt remove bash"],
    allow: [
      "apt-get remove -y python3-pip",
      "sudo apt purge linux-image-5.4.0-42-generic",
      "apt-get -s remove python3",
    ],
  },
  {
    id: "system/remove-core",
    program: "pacman|yay|paru|dpkg|apk",
    pattern: [
      "-R|--remove|-r|-P|--purge <core> !-p|--print",
      "** del ** musl|busybox|apk-tools|alpine-base|alpine-baselayout !-s|--simulate",
      "-r|--remove|-P|--purge --force-all|--force-depends|--force-remove-essential",
    ],
    reason: CORE_PACKAGE_LOSS,
    deny: ["sudo pacman -Rns --noconfirm linux", "dpkg --purge --force-all libc6", "apk del busybox"],
    allow: ["pacman -Rns firefox", "pacman -Syu linux", "apk del .build-deps"],
  },
  {
    id: "system/remove-access-package",
    program: "apt|apt-get|dnf|yum|zypper|apk|pacman",
    pattern: [
      "** remove|purge|autoremove|erase|del ** openssh|openssh-server|network-manager|NetworkManager|netplan.io|systemd !-s|--simulate|--dry-run|--just-print",
      "-R|--remove ** openssh|networkmanager|systemd",
    ],
    reason: CONNECTION_LOSS,
    deny: ["apt-get purge -y openssh-server", "dnf remove NetworkManager", "apk del openssh", "pacman -Rns openssh"],
    allow: ["apt-get remove -y nginx", "apt-get -s remove openssh-server", "apt install openssh-server"],
  },
];
