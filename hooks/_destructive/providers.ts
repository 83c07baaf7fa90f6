import { RESOURCE_LOSS, OBJECT_LOSS } from "./cloud-reasons.ts";
import type { CommandRule } from "./pattern.ts";

/** Rules about other cloud providers and their machines, in the `cloud` category. */
export const providerRules: readonly CommandRule[] = [
  {
    id: "cloud/gcloud-delete",
    // https://cloud.google.com/sdk/gcloud/reference
    program: "gcloud",
    pattern: "** delete|delete-instances|bulk-delete|purge ?changesProduct",
    reason: RESOURCE_LOSS,
    deny: [
      "gcloud compute instances delete vm-1 --quiet",
      "gcloud --project x projects delete x",
      "gcloud secrets delete db-password",
      "gcloud storage buckets delete gs://bucket",
      "gcloud compute instance-groups managed delete-instances web --instances=a",
      "gcloud tasks queues purge mail",
    ],
    allow: [
      "gcloud compute instances list",
      "gcloud projects describe delete-me",
      "gcloud config configurations delete old",
    ],
  },
  {
    id: "cloud/gcloud-kms-destroy",
    // https://cloud.google.com/sdk/gcloud/reference/kms/keys/versions/destroy
    program: "gcloud",
    pattern: ["kms ** destroy", "secrets versions destroy"],
    reason: "a key or secret would be lost, and data encrypted with the key would become unreadable",
    advice: "disable the version instead",
    deny: [
      "gcloud kms keys versions destroy 1 --key k --keyring r --location global",
      "gcloud secrets versions destroy 2 --secret db-password",
    ],
    allow: ["gcloud kms keys list --keyring r --location global", "gcloud secrets versions disable 2 --secret x"],
  },
  {
    id: "cloud/gcloud-sql-restore",
    // https://cloud.google.com/sql/docs/postgres/backup-recovery/restoring
    program: "gcloud",
    pattern: ["sql backups restore", "sql instances restore-backup"],
    reason: "it overwrites the instance's data with a backup",
    deny: ["gcloud sql backups restore 1 --restore-instance shop", "gcloud sql instances restore-backup shop"],
    allow: ["gcloud sql backups create --instance shop"],
  },
  {
    id: "cloud/gcloud-storage-delete",
    program: "gcloud",
    pattern: ["storage rm -r|-R|--recursive", "storage rm <everything>"],
    reason: OBJECT_LOSS,
    deny: [
      "gcloud storage rm -r gs://bucket",
      "gcloud storage rm --recursive gs://bucket/x",
      "gcloud storage rm 'gs://bucket/**'",
    ],
    allow: ["gcloud storage rm gs://bucket/file", "gcloud storage ls", "gcloud storage rm 'gs://bucket/tmp-*'"],
  },
  {
    id: "cloud/gcloud-services-disable",
    // https://cloud.google.com/sdk/gcloud/reference/services/disable
    program: "gcloud",
    pattern: "services disable",
    reason:
      "everything in the project that uses the service would stop working, and some services would delete their data",
    deny: ["gcloud services disable sqladmin.googleapis.com --force", "gcloud services disable run.googleapis.com"],
    allow: ["gcloud services enable run.googleapis.com", "gcloud services list"],
  },
  {
    id: "cloud/gsutil-rm-recursive",
    program: "gsutil",
    pattern: ["rm -r|-R !-n", "rm <everything> !-n"],
    reason: OBJECT_LOSS,
    deny: ["gsutil -m rm -r gs://bucket", "gsutil rm -R gs://bucket/x", "gsutil -m rm gs://bucket/**"],
    allow: ["gsutil rm gs://bucket/file", "gsutil cp a gs://b"],
  },
  {
    id: "cloud/gsutil-delete-bucket",
    program: "gsutil",
    pattern: "rb",
    reason: "it deletes the bucket",
    deny: ["gsutil rb gs://bucket", "gsutil -m rb gs://a gs://b"],
    allow: ["gsutil ls gs://bucket"],
  },
  {
    id: "cloud/bq-rm",
    program: "bq",
    pattern: "rm -r|-f|--recursive|--force",
    reason: "it deletes tables or datasets without asking",
    deny: ["bq rm -r -f d", "bq rm --force d.t"],
    allow: ["bq rm d.t", "bq ls"],
  },
  {
    id: "cloud/az-delete",
    // https://learn.microsoft.com/cli/azure/reference-index
    program: "az",
    pattern: "** delete|delete-batch|delete-instances|purge|flush ?changesProduct",
    reason: "it deletes the resource, or the data in it",
    deny: [
      "az group delete -n rg --yes",
      "az vm delete --ids x",
      "az keyvault purge -n x",
      "az vmss delete-instances -g rg -n web --instance-ids 0",
    ],
    allow: ["az group list", "az cache delete", "az vm deallocate -g rg -n web"],
  },
  {
    id: "cloud/az-storage-remove",
    // https://learn.microsoft.com/cli/azure/storage#az-storage-remove
    program: "az",
    pattern: "storage remove --recursive",
    reason: OBJECT_LOSS,
    deny: ["az storage remove -c shop --recursive", "az storage remove --share-name s -p logs --recursive"],
    allow: ["az storage remove -c shop -n a.txt", "az storage blob list -c shop"],
  },
  {
    id: "cloud/az-deployment-complete",
    // https://learn.microsoft.com/azure/azure-resource-manager/templates/deployment-modes
    program: "az",
    pattern: "deployment ** create --mode <complete>",
    reason: "in complete mode, it deletes everything in the resource group that isn't in the template",
    advice: 'preview the result with "az deployment group what-if"',
    deny: [
      "az deployment group create -g rg -f main.bicep --mode Complete",
      "az deployment group create --mode=complete -g rg -f x.json",
    ],
    allow: [
      "az deployment group create -g rg -f main.bicep",
      "az deployment group create -g rg --mode Incremental -f x",
    ],
  },
  {
    id: "cloud/azd-down",
    // https://learn.microsoft.com/azure/developer/azure-developer-cli/reference#azd-down
    program: "azd",
    pattern: "down",
    reason: "it deletes the application's resources in Azure",
    deny: ["azd down --force --purge", "azd down"],
    allow: ["azd up", "azd provision --preview"],
  },
  {
    id: "cloud/azcopy-remove",
    program: "azcopy",
    pattern: "remove|rm --recursive",
    reason: OBJECT_LOSS,
    deny: ["azcopy remove https://x.blob.core.windows.net/c --recursive", "azcopy rm https://x/c --recursive=true"],
    allow: ["azcopy list https://x/c", "azcopy remove https://x/c/file"],
  },
  {
    id: "cloud/server-rebuild",
    // https://github.com/hetznercloud/cli https://docs.digitalocean.com/reference/doctl/reference/compute/droplet-action/
    // https://techdocs.akamai.com/cloud-computing/docs/cli https://docs.openstack.org/python-openstackclient/latest/cli/
    program: "hcloud|doctl|linode-cli|openstack|vultr-cli|exo|metal|ovhcloud|scw|az",
    pattern: [
      "** server|linodes|instance|bare-metal|device|droplet-action rebuild|reinstall|restore|backup-restore",
      "** vm|vmss reimage",
      "** compute instance reset",
      "** baremetal server install",
    ],
    reason: "it replaces the machine's disk and everything on it",
    deny: [
      "hcloud server rebuild web --image ubuntu-24.04",
      "linode-cli linodes rebuild 123 --image linode/debian12",
      "doctl compute droplet-action rebuild 123 --image ubuntu-24-04-x64",
      "openstack server rebuild web",
      "vultr-cli instance reinstall x",
      "az vm reimage -g rg -n web",
    ],
    allow: [
      "hcloud server reboot web",
      "hcloud server reset web",
      "openstack server show web",
      "hcloud server create --name web --image ubuntu-24.04",
    ],
  },
  {
    id: "cloud/server-disable-backup",
    program: "hcloud|linode-cli|doctl",
    pattern: ["** server disable-backup", "** linodes backups-cancel", "** droplet-action disable-backups"],
    reason: "it turns off the machine's backups, and may delete existing ones",
    deny: ["hcloud server disable-backup web", "linode-cli linodes backups-cancel 123"],
    allow: ["hcloud server enable-backup web", "linode-cli linodes backups-list 123"],
  },
  {
    id: "cloud/provider-delete",
    // https://docs.oracle.com/iaas/tools/oci-cli/latest/oci_cli_docs/ https://cli.scaleway.com
    // https://docs.vultr.com/reference/vultr-cli https://yandex.cloud/docs/cli/cli-ref
    // https://upcloudltd.github.io/upcloud-cli https://docs.ionos.com/cli-ionosctl
    program:
      "eksctl|kops|rosa|ocm|doctl|linode-cli|hcloud|vultr-cli|scw|ibmcloud|oci|civo|exo|openstack|upctl|yc|ionosctl|ovhcloud|metal|stackit|gridscale",
    pattern:
      "** delete|destroy|terminate|rm|purge|bulk-delete|schedule-key-deletion|schedule-vault-deletion|schedule-secret-deletion|delete-selective|delete-node|delete-with-resources|delete-tag|delete-manifest|delete-rule|delete-service ?changesProduct",
    reason: RESOURCE_LOSS,
    deny: [
      "eksctl delete cluster --name x",
      "doctl compute droplet delete 1",
      "hcloud volume delete data",
      "scw instance server terminate x",
      "oci db autonomous-database delete --autonomous-database-id x",
      "oci kms management key schedule-key-deletion --key-id x",
      "openstack volume delete data",
    ],
    allow: ["eksctl get cluster", "hcloud server list", "oci compute instance list", "hcloud context delete old"],
  },
  {
    id: "cloud/provider-delete-kind",
    // https://cloud.ibm.com/docs/cli https://github.com/vmware/govmomi/blob/main/govc/USAGE.md
    // https://www.alibabacloud.com/help/cli https://www.tencentcloud.com/document/product/1013
    program: "ibmcloud|linode-cli|govc|aliyun|tccli",
    pattern: "** *-delete|*-rm|*-destroy|Delete*|Terminate*|Release*|*.destroy|*.rm|snapshot.remove|datastore.rm",
    reason: RESOURCE_LOSS,
    deny: [
      "linode-cli lke cluster-delete 1",
      "ibmcloud resource service-instance-delete shop",
      "ibmcloud cr namespace-rm shop",
      "aliyun ecs DeleteInstance --InstanceId i",
      "govc vm.destroy web",
    ],
    allow: ["ibmcloud ks cluster ls", "govc vm.info web", "aliyun ecs DescribeInstances"],
  },
  {
    id: "cloud/civo-remove",
    // https://www.civo.com/docs/overview/civo-cli
    program: "civo",
    pattern: "** remove ?changesProduct",
    reason: RESOURCE_LOSS,
    deny: ["civo kubernetes remove shop --yes", "civo instance remove web"],
    allow: ["civo kubernetes list", "civo apikey remove old"],
  },
  {
    id: "cloud/linode-object-storage",
    // https://techdocs.akamai.com/cloud-computing/docs/using-the-linode-cli-for-object-storage
    program: "linode-cli",
    pattern: ["obj ** rb", "obj ** del|rm --recursive"],
    reason: "it deletes a bucket, or every object under a path",
    deny: ["linode-cli obj rb --recursive shop", "linode-cli obj rb shop"],
    allow: ["linode-cli obj ls", "linode-cli obj put a.txt shop"],
  },
];
