import type { CommandRule } from "./pattern.ts";

const SITE_LOSS = "it deletes a site or part of its configuration";

/** Rules about cmdlets that delete cloud resources, sites, mail, and virtual machines. */
export const windowsCloudRules: readonly CommandRule[] = [
  {
    id: "cloud/az-remove",
    program:
      "remove-azresourcegroup|remove-azkeyvaultsecret|remove-azkeyvaultkey|remove-azstoragecontainer|remove-azstorageblob|remove-azcosmosdbaccount|remove-azrecoveryservicesvault|remove-azvmss|remove-azsnapshot|remove-azresource|remove-azvm|remove-azdisk|remove-azstorageaccount|remove-azsqldatabase|remove-azsqlserver|remove-azkeyvault|remove-azakscluster|remove-azwebapp",
    pattern: "",
    reason: "it deletes Azure resources",
    deny: ["Remove-AzResourceGroup -Name shop -Force", "Remove-AzVM -ResourceGroupName shop -Name web"],
    allow: ["Get-AzResourceGroup", "Remove-AzResourceGroup -Name shop -WhatIf"],
  },
  {
    id: "cloud/aws-tools-remove",
    // https://docs.aws.amazon.com/powershell/latest/reference/
    program:
      "remove-s3bucket|remove-ec2instance|remove-ec2volume|remove-ec2snapshot|remove-ec2vpc|remove-rdsdbinstance|remove-rdsdbcluster|remove-ddbtable|remove-cfnstack|remove-ekscluster|remove-ecscluster|remove-lmfunction|remove-secsecret|request-kmskeydeletion|remove-iamuser|remove-iamrole",
    pattern: "",
    reason: "it deletes AWS resources or data",
    deny: [
      "Remove-S3Bucket -BucketName shop -DeleteBucketContent -Force",
      "Remove-RDSDBInstance -DBInstanceIdentifier x -Force",
    ],
    allow: ["Get-S3Bucket", "Remove-EC2Instance -InstanceId i-1 -WhatIf"],
  },
  {
    id: "cloud/web-site-remove",
    // https://learn.microsoft.com/powershell/module/webadministration/remove-website
    program:
      "remove-website|remove-iissite|remove-webapplication|remove-webapppool|remove-webvirtualdirectory|clear-webconfiguration",
    pattern: "",
    reason: SITE_LOSS,
    deny: ["Remove-Website -Name shop", "Remove-IISSite -Name shop -Confirm:$false", "Remove-WebAppPool shop"],
    allow: ["Get-Website", "Stop-Website -Name shop", "Remove-Website -Name shop -WhatIf"],
  },
  {
    id: "cloud/appcmd-delete",
    // https://learn.microsoft.com/iis/get-started/getting-started-with-iis/getting-started-with-appcmdexe
    program: "appcmd",
    pattern: ["delete site|app|apppool|vdir|backup", "restore backup"],
    reason: SITE_LOSS,
    deny: ["appcmd delete site shop", "appcmd.exe delete apppool DefaultAppPool"],
    allow: ["appcmd list site", "appcmd stop site shop"],
  },
  {
    id: "cloud/office-remove",
    // https://learn.microsoft.com/powershell/exchange/ https://learn.microsoft.com/powershell/microsoftgraph/
    program:
      "remove-mailbox|disable-mailbox|remove-mailboxdatabase|remove-mailuser|remove-distributiongroup|remove-unifiedgroup|search-mailbox|remove-mguser|remove-mggroup|remove-mgapplication|remove-mgserviceprincipal|remove-msoluser|remove-azureaduser|remove-azureadgroup|remove-azureadapplication|remove-entrauser|remove-entragroup|remove-team|remove-sposite|remove-pnptenantsite|remove-pnplist",
    pattern: "",
    reason: "it deletes mail, a site, or an account and its data",
    deny: [
      "Remove-Mailbox -Identity ann@example.com -Confirm:$false",
      "Remove-MgUser -UserId ann@example.com",
      "Remove-SPOSite -Identity https://x.sharepoint.com/sites/shop -Confirm:$false",
    ],
    allow: ["Get-Mailbox -Identity ann@example.com", "Remove-Mailbox ann -WhatIf"],
  },
  {
    id: "cloud/vm-remove",
    program: "remove-vm|remove-vmsnapshot",
    pattern: "",
    reason: "it deletes a virtual machine or its snapshot",
    deny: ["Remove-VM -Name build -Force", "Remove-VMSnapshot -VMName build"],
    allow: ["Get-VM", "Stop-VM build"],
  },
];
