import type { CommandRule } from "./pattern.ts";

const SHUTDOWN_REASON = "it shuts down or restarts the machine";
const FIREWALL_OFF = "it disables the firewall or part of it";
const BACKUP_LOSS = "it deletes or disables backups";
const CONNECTION_LOSS = "the machine may no longer be reachable";
const FEATURE_REMOVAL = "it removes a Windows feature and everything that depends on it";
/** Services that give access to a machine, also in lowercase because the cmd.exe parser reports names that way. */
export const WINDOWS_ACCESS = "WinRM TermService sshd LanmanServer Netlogon NTDS DNS Dhcp RpcSs"
  .split(" ")
  .flatMap((name) => [...new Set([name, name.toLowerCase()])])
  .join("|");

/** Rules about cmdlets that wipe disks. The rule for a Unix program also covers the equivalent cmdlet: `Remove-Item` is `rm`. */
export const windowsDiskRules: readonly CommandRule[] = [
  {
    id: "disks/format-volume",
    program: "format-volume",
    pattern: "",
    reason: "it formats a volume",
    deny: [
      "Format-Volume -DriveLetter D -FileSystem NTFS",
      "Get-Volume -DriveLetter D | Format-Volume -Confirm:$false",
    ],
    allow: ["Format-Volume -DriveLetter D -WhatIf", "Get-Volume"],
  },
  {
    id: "disks/clear-disk",
    program: "clear-disk|initialize-disk|reset-physicaldisk|remove-partition|remove-virtualdisk|remove-storagepool",
    pattern: "",
    reason: "it wipes a disk, or changes its partitions",
    deny: [
      "Clear-Disk -Number 1 -RemoveData -Confirm:$false",
      "Get-Disk 1 | Initialize-Disk",
      "Remove-Partition -DiskNumber 0 -PartitionNumber 2",
    ],
    allow: ["Get-Disk", "Get-Partition -DiskNumber 0", "Clear-Disk -Number 1 -WhatIf"],
  },
  {
    id: "disks/cipher-wipe",
    program: "cipher",
    pattern: "** /w:*",
    reason: "it overwrites deleted data, which then can't be recovered",
    deny: ["cipher /w:C:", "powershell -Command cipher /w:C:\\"],
    allow: ["cipher /e secret.txt", "openssl enc -cipher x"],
  },
];

/**
 * Rules about cmdlets and programs that shut down a Windows machine, disable its protection, or cut off access to it.
 */
export const windowsSystemRules: readonly CommandRule[] = [
  {
    id: "system/stop-computer",
    program: "stop-computer|restart-computer",
    pattern: "",
    reason: SHUTDOWN_REASON,
    deny: ["Stop-Computer -Force", "Restart-Computer"],
    allow: ["Restart-Computer -WhatIf", "Get-ComputerInfo"],
  },
  {
    id: "system/shadow-copy-delete",
    program: "wmic",
    pattern: "** shadowcopy|SHADOWCOPY|win32_shadowcopy|Win32_ShadowCopy ** delete|DELETE",
    reason: BACKUP_LOSS,
    deny: [
      "wmic shadowcopy delete",
      "wmic.exe shadowcopy delete /nointeractive",
      "wmic SHADOWCOPY DELETE",
      "Get-WmiObject Win32_ShadowCopy | ForEach-Object { $_.Delete() }",
    ],
    allow: ["wmic os get caption", "Get-CimInstance Win32_ShadowCopy"],
  },
  {
    id: "system/wmi-delete",
    // https://learn.microsoft.com/windows-server/administration/windows-commands/wmic
    program: "wmic",
    pattern: [
      "** delete|DELETE",
      "product|PRODUCT ** call|CALL uninstall|Uninstall|UNINSTALL",
      "os|OS ** call|CALL reboot|Reboot|shutdown|Shutdown|win32shutdown|Win32Shutdown",
    ],
    reason: "it deletes, uninstalls or ends objects that Windows manages, such as shadow copies, programs or processes",
    deny: [
      "Get-CimInstance Win32_ShadowCopy | Remove-CimInstance",
      "wmic process where name='node.exe' delete",
      "wmic share where name='data' DELETE",
      "wmic product where \"name like '%SQL%'\" call uninstall /nointeractive",
    ],
    allow: ["wmic process list brief", "Get-CimInstance Win32_Process"],
  },
  {
    id: "system/restore-disable",
    program: "disable-computerrestore",
    pattern: "",
    reason: BACKUP_LOSS,
    deny: ["Disable-ComputerRestore -Drive 'C:\\'", "Disable-ComputerRestore D:"],
    allow: ["Get-ComputerRestorePoint"],
  },
  {
    id: "system/recovery-disable",
    program: "reagentc",
    pattern: "/disable",
    reason: "the machine could no longer be restored",
    deny: ["reagentc /disable", "reagentc.exe /disable"],
    allow: ["reagentc /info"],
  },
  {
    id: "system/account-remove",
    program:
      "remove-localuser|remove-localgroup|disable-localuser|disable-adaccount|remove-aduser|remove-adgroup|remove-adcomputer|remove-adorganizationalunit",
    pattern: "",
    reason: "it deletes an account or a group, or disables an account",
    deny: ["Remove-LocalUser -Name alice", "Remove-ADUser alice -Confirm:$false"],
    allow: ["Get-LocalUser", "Remove-LocalUser alice -WhatIf"],
  },
  {
    id: "system/net-user-delete",
    program: "net|net1",
    pattern: "user|localgroup|group ** /delete|/del|/active:no",
    reason: "it deletes an account or a group, or disables an account",
    deny: ["net user alice /delete", "net localgroup staff /del", "net user alice /active:no"],
    allow: ["net user", "net use Z: /delete"],
  },
  {
    id: "system/netsh-firewall-off",
    program: "netsh",
    pattern: ["advfirewall ** off|reset", "firewall ** disable|reset"],
    reason: FIREWALL_OFF,
    deny: ["netsh advfirewall set allprofiles state off", "netsh advfirewall reset"],
    allow: ["netsh advfirewall show allprofiles", "netsh interface ip show config"],
  },
  {
    id: "system/firewall-profile-off",
    program: "set-netfirewallprofile",
    pattern: [
      "-enabled ** False|false|0",
      "-defaultinboundaction|-defaultoutboundaction ** Block|block",
      "-allowinboundrules ** False|false|0",
    ],
    reason: `${FIREWALL_OFF}, or blocks every connection that no rule allows`,
    deny: [
      "Set-NetFirewallProfile -All -DefaultInboundAction Block",
      "Set-NetFirewallProfile -Profile Domain,Public,Private -Enabled False",
      "Set-NetFirewallProfile -All -Enabled False",
    ],
    allow: ["Set-NetFirewallProfile -Profile Public -Enabled True", "Get-NetFirewallProfile"],
  },
  {
    id: "system/network-adapter-off",
    program: "disable-netadapter|remove-netipaddress|remove-netroute|disable-psremoting",
    pattern: "",
    reason: CONNECTION_LOSS,
    deny: ["Disable-NetAdapter -Name Ethernet -Confirm:$false", "Remove-NetIPAddress -InterfaceAlias Ethernet"],
    allow: ["Get-NetAdapter", "Disable-NetAdapter -Name Ethernet -WhatIf"],
  },
  {
    id: "system/netsh-interface-off",
    program: "netsh",
    pattern: [
      "interface|int ** disable|disabled|admin=disable|admin=disabled",
      "advfirewall ** firewallpolicy ** blockinboundalways*|*blockoutbound",
    ],
    reason: CONNECTION_LOSS,
    deny: [
      "netsh interface set interface Ethernet disable",
      "netsh interface set interface name=Ethernet admin=disabled",
      "netsh advfirewall set allprofiles firewallpolicy blockinbound,blockoutbound",
    ],
    allow: [
      "netsh interface show interface",
      "netsh advfirewall set allprofiles firewallpolicy blockinbound,allowoutbound",
    ],
  },
  {
    id: "system/defender-off",
    program: "set-mppreference",
    pattern: "** True|true",
    reason: "it disables the virus scanner or part of it",
    deny: ["Set-MpPreference -DisableRealtimeMonitoring $true", "Set-MpPreference -DisableIOAVProtection $true"],
    allow: ["Get-MpPreference", "Set-MpPreference -ScanScheduleDay 1"],
  },
  {
    id: "system/defender-exclusion",
    program: "add-mppreference",
    pattern: "",
    reason: "it excludes files or programs from virus scans",
    deny: ["Add-MpPreference -ExclusionPath C:\\Users", "Add-MpPreference -ExclusionProcess node.exe"],
    allow: ["Get-MpPreference", "Remove-MpPreference -ExclusionPath C:\\Users"],
  },
  {
    id: "system/event-log-clear",
    program: "clear-eventlog|remove-eventlog",
    pattern: "",
    reason: "it deletes the system's logs",
    deny: ["Clear-EventLog -LogName System", "Remove-EventLog -LogName Shop"],
    allow: ["Get-EventLog -LogName System"],
  },
  {
    id: "system/wevtutil-clear",
    program: "wevtutil",
    pattern: "cl|clear-log",
    reason: "it deletes the system's logs",
    deny: ["wevtutil cl Security", "wevtutil.exe clear-log System"],
    allow: ["wevtutil qe System /c:5"],
  },
  {
    id: "system/remote-access-off",
    // https://learn.microsoft.com/windows-server/administration/windows-commands/sc-config
    program: "sc|net|net1|set-service",
    pattern: [
      `stop|pause|delete ${WINDOWS_ACCESS}`,
      `config ${WINDOWS_ACCESS} ** disabled`,
      `-startuptype ** ${WINDOWS_ACCESS} ** Disabled|disabled`,
    ],
    reason: CONNECTION_LOSS,
    deny: [
      "sc.exe stop TermService",
      "net stop WinRM /y",
      "Set-Service sshd -StartupType Disabled",
      "sc.exe config TermService start= disabled",
    ],
    allow: ["sc.exe stop Spooler", "sc.exe query WinRM", "Set-Service WinRM -StartupType Automatic", "net stop shop"],
  },
  {
    id: "system/windows-feature-remove",
    // https://learn.microsoft.com/powershell/module/servermanager/uninstall-windowsfeature
    program: "uninstall-windowsfeature|remove-windowsfeature|disable-windowsoptionalfeature|remove-windowscapability",
    pattern: "",
    reason: FEATURE_REMOVAL,
    deny: [
      "Remove-WindowsFeature Web-Server",
      "Uninstall-WindowsFeature -Name AD-Domain-Services -Restart",
      "Disable-WindowsOptionalFeature -Online -FeatureName IIS-WebServerRole",
    ],
    allow: ["Get-WindowsFeature", "Remove-WindowsFeature Web-Server -WhatIf"],
  },
  {
    id: "system/dism-remove",
    // https://learn.microsoft.com/windows-hardware/manufacture/desktop/dism-operating-system-package-servicing-command-line-options
    program: "dism",
    pattern: "** /disable-feature|/remove-*|/Disable-Feature|/Remove-*",
    reason: FEATURE_REMOVAL,
    deny: [
      "dism /online /disable-feature /featurename:IIS-WebServerRole",
      "DISM.exe /Online /Remove-Package /PackageName:x",
    ],
    allow: ["dism /online /get-features", "dism /online /cleanup-image /scanhealth"],
  },
  {
    id: "system/scheduled-tasks-delete",
    // https://learn.microsoft.com/windows-server/administration/windows-commands/schtasks-delete
    program: "schtasks|unregister-scheduledtask",
    pattern: ["/delete|/DELETE|/Delete <every>", "!-taskpath <every>"],
    reason: "it deletes every scheduled task",
    advice: "name the task to delete",
    deny: [
      'schtasks /delete /tn "*" /f',
      "Get-ScheduledTask | Unregister-ScheduledTask -Confirm:$false",
      "Unregister-ScheduledTask -TaskName '*' -Confirm:$false",
    ],
    allow: ["schtasks /delete /tn shop /f", "schtasks /query /fo list", "Unregister-ScheduledTask -TaskName shop"],
  },
  {
    id: "system/service-delete",
    program: "sc",
    pattern: "delete",
    reason: "it deletes a service",
    deny: ["sc.exe delete Spooler", "cmd /c sc delete Spooler"],
    allow: ["sc.exe query Spooler"],
  },
];
