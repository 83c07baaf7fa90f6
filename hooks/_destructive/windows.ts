import type { CommandRule } from "./pattern.ts";

const SHUTDOWN = "it shuts down or restarts the machine";
const FIREWALL = "it takes down the firewall, or a part of it";
const BACKUPS = "it deletes backups, or turns them off";

/** Cmdlets that wipe disks. Those that have an equivalent elsewhere are caught by its rule: `Remove-Item` is `rm`. */
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
    reason: "it overwrites what was deleted, so that nothing can be restored",
    deny: ["cipher /w:C:", "powershell -Command cipher /w:C:\\"],
    allow: ["cipher /e secret.txt", "openssl enc -cipher x"],
  },
];

/** What takes a Windows machine down, or what keeps it working. */
export const windowsSystemRules: readonly CommandRule[] = [
  {
    id: "system/stop-computer",
    program: "stop-computer|restart-computer",
    pattern: "",
    reason: SHUTDOWN,
    deny: ["Stop-Computer -Force", "Restart-Computer"],
    allow: ["Restart-Computer -WhatIf", "Get-ComputerInfo"],
  },
  {
    id: "system/shadow-copy-delete",
    program: "wmic",
    pattern: "** delete",
    reason: BACKUPS,
    deny: [
      "wmic shadowcopy delete",
      "wmic.exe shadowcopy delete /nointeractive",
      "Get-WmiObject Win32_ShadowCopy | ForEach-Object { $_.Delete() }",
      "Get-CimInstance Win32_ShadowCopy | Remove-CimInstance",
    ],
    allow: ["wmic os get caption", "Get-CimInstance Win32_ShadowCopy"],
  },
  {
    id: "system/restore-disable",
    program: "disable-computerrestore",
    pattern: "",
    reason: BACKUPS,
    deny: ["Disable-ComputerRestore -Drive 'C:\\'", "Disable-ComputerRestore D:"],
    allow: ["Get-ComputerRestorePoint"],
  },
  {
    id: "system/recovery-disable",
    program: "reagentc",
    pattern: "/disable",
    reason: "the machine can no longer be restored",
    deny: ["reagentc /disable", "reagentc.exe /disable"],
    allow: ["reagentc /info"],
  },
  {
    id: "system/account-remove",
    program:
      "remove-localuser|remove-localgroup|remove-aduser|remove-adgroup|remove-adcomputer|remove-adorganizationalunit",
    pattern: "",
    reason: "it deletes an account or a group",
    deny: ["Remove-LocalUser -Name alice", "Remove-ADUser alice -Confirm:$false"],
    allow: ["Get-LocalUser", "Remove-LocalUser alice -WhatIf"],
  },
  {
    id: "system/net-user-delete",
    program: "net|net1",
    pattern: "user|localgroup|group ** /delete|/del",
    reason: "it deletes an account or a group",
    deny: ["net user alice /delete", "net localgroup staff /del"],
    allow: ["net user", "net use Z: /delete"],
  },
  {
    id: "system/netsh-firewall-off",
    program: "netsh",
    pattern: ["advfirewall ** off|reset", "firewall ** disable|reset"],
    reason: FIREWALL,
    deny: ["netsh advfirewall set allprofiles state off", "netsh advfirewall reset"],
    allow: ["netsh advfirewall show allprofiles", "netsh interface ip show config"],
  },
  {
    id: "system/firewall-profile-off",
    program: "set-netfirewallprofile",
    pattern: "-enabled ** False|false|0",
    reason: FIREWALL,
    deny: [
      "Set-NetFirewallProfile -Profile Domain,Public,Private -Enabled False",
      "Set-NetFirewallProfile -All -Enabled False",
    ],
    allow: ["Set-NetFirewallProfile -Profile Public -Enabled True", "Get-NetFirewallProfile"],
  },
  {
    id: "system/defender-off",
    program: "set-mppreference",
    pattern: "** True|true",
    reason: "it turns the virus scanner off, or a part of it",
    deny: ["Set-MpPreference -DisableRealtimeMonitoring $true", "Set-MpPreference -DisableIOAVProtection $true"],
    allow: ["Get-MpPreference", "Set-MpPreference -ScanScheduleDay 1"],
  },
  {
    id: "system/defender-exclusion",
    program: "add-mppreference",
    pattern: "",
    reason: "it keeps the virus scanner away from something",
    deny: ["Add-MpPreference -ExclusionPath C:\\Users", "Add-MpPreference -ExclusionProcess node.exe"],
    allow: ["Get-MpPreference", "Remove-MpPreference -ExclusionPath C:\\Users"],
  },
  {
    id: "system/event-log-clear",
    program: "clear-eventlog|remove-eventlog",
    pattern: "",
    reason: "it deletes the logs of the system",
    deny: ["Clear-EventLog -LogName System", "Remove-EventLog -LogName Shop"],
    allow: ["Get-EventLog -LogName System"],
  },
  {
    id: "system/wevtutil-clear",
    program: "wevtutil",
    pattern: "cl|clear-log",
    reason: "it deletes the logs of the system",
    deny: ["wevtutil cl Security", "wevtutil.exe clear-log System"],
    allow: ["wevtutil qe System /c:5"],
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

/** Cmdlets that tear down what runs in a cloud, or in machines of its own. */
export const windowsCloudRules: readonly CommandRule[] = [
  {
    id: "cloud/az-remove",
    program:
      "remove-azresourcegroup|remove-azresource|remove-azvm|remove-azdisk|remove-azstorageaccount|remove-azsqldatabase|remove-azsqlserver|remove-azkeyvault|remove-azakscluster|remove-azwebapp",
    pattern: "",
    reason: "it deletes what runs in Azure",
    deny: ["Remove-AzResourceGroup -Name shop -Force", "Remove-AzVM -ResourceGroupName shop -Name web"],
    allow: ["Get-AzResourceGroup", "Remove-AzResourceGroup -Name shop -WhatIf"],
  },
  {
    id: "cloud/vm-remove",
    program: "remove-vm|remove-vmsnapshot",
    pattern: "",
    reason: "it deletes a virtual machine, or what it was before",
    deny: ["Remove-VM -Name build -Force", "Remove-VMSnapshot -VMName build"],
    allow: ["Get-VM", "Stop-VM build"],
  },
];
