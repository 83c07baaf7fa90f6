import type { Rules } from "./pattern.ts";

const GONE = "what it names is gone, with the data in it";
const VOLUMES = "volumes hold data that no image brings back";
const TORN = "it tears down what runs";

export const cloud: Rules = {
  aws: {
    "s3 rb --force !--dryrun": "it deletes the bucket with everything in it",
    "s3 rm --recursive !--dryrun": "it deletes every object below",
    "s3api delete-bucket|delete-objects": GONE,
    "ec2 terminate-instances !--dry-run": "it deletes machines",
    "ec2 delete-volume|delete-snapshot|delete-vpc|deregister-image !--dry-run": GONE,
    "rds delete-db-*|delete-global-cluster|delete-integration": GONE,
    "dynamodb|eks|ecs|elasticache|redshift|kafka|opensearch|docdb|neptune delete-table|delete-*cluster|delete-service|delete-replication-group|delete-domain|delete-db-*|delete-backup":
      GONE,
    "cloudformation delete-stack*": TORN,
    "lambda delete-function": GONE,
    "ecr|efs|fsx|backup|logs|secretsmanager|sqs|sns|route53|cognito-idp|kinesis delete-repository|delete-file-system|delete-backup*|delete-recovery-point|delete-log-group|delete-secret|delete-queue|purge-queue|delete-topic|delete-hosted-zone|delete-user-pool|delete-stream":
      GONE,
    "kms schedule-key-deletion": "what was encrypted with the key can't be read again",
    "iam delete-user|delete-role": GONE,
  },
  gcloud: {
    "** delete": GONE,
    "storage rm -r|-R|--recursive": "it deletes every object below",
    "storage buckets delete": GONE,
  },
  gsutil: { "rm -r|-R !-n": "it deletes every object below", rb: GONE },
  bq: { "rm -r|-f|--recursive|--force": GONE },
  az: { "** delete|purge|delete-batch": GONE },
  azcopy: { "remove|rm --recursive": "it deletes every object below" },
  "kubectl|oc|k": {
    "delete ns|namespace|namespaces|ns/*|namespace/*|namespaces/*|project|projects|project/* !--dry-run":
      "it deletes everything in the namespace",
    "delete --all|--all-namespaces|-A !--dry-run": "it deletes all there are",
    "delete pv|pvc|pv/*|pvc/*|persistentvolume*|crd|crds|crd/*|customresourcedefinition*|node|nodes|node/*|sc|storageclass*|statefulset*|sts|sts/* !--dry-run":
      GONE,
  },
  helm: { "uninstall|delete|del|un !--dry-run": TORN },
  helmfile: { "** destroy|delete": TORN },
  "terraform|tofu|terragrunt": {
    "** destroy": TORN,
    "** apply -destroy": TORN,
    "state rm !-dry-run": "what exists is no longer known to it",
    "workspace delete": "the state of the workspace is gone",
  },
  pulumi: { "destroy|down|dn !--preview-only": TORN, "stack rm": "the state of the stack is gone" },
  "cdk|aws-cdk|cdktf|sst|serverless|sls|sam": { "destroy|remove|delete": TORN },
  "eksctl|kops|doctl|linode-cli|hcloud|vultr-cli|scw|ibmcloud|oci|civo|exo": { "** delete|destroy|terminate|rm": GONE },
  "fly|flyctl": { "** destroy|delete": GONE },
  heroku: { "apps:destroy|apps:delete|addons:destroy|pg:reset": GONE },
  vercel: { "remove|rm": GONE, "project rm|remove": GONE },
  netlify: { "sites:delete": GONE },
  railway: { "delete|down": TORN },
  wrangler: { "** delete !--dry-run": GONE },
  supabase: { "projects delete": GONE },
  firebase: { "firestore:delete|projects:delete|database:remove": GONE },
  "neonctl|pscale|turso": { "** delete|destroy": GONE },
  vault: { "kv destroy": GONE, "kv metadata delete": GONE, "secrets|auth disable": GONE },
  consul: { "kv delete -recurse": GONE },
  nomad: { "job stop -purge": TORN },
  rclone: { "purge|delete !--dry-run|-n": "it deletes every object below" },
  s3cmd: { "del|rm -r|--recursive !-n|--dry-run": "it deletes every object below", "rb -r|--recursive|-f|--force": GONE },
  "mc|mcli": { "rm -r|--recursive": "it deletes every object below", "rb --force": GONE },
  "docker|podman|nerdctl": {
    "system prune -a|--all|--volumes": `it deletes all that no running container uses; ${VOLUMES}`,
    "system reset": "it deletes every container, image and volume",
    "volume rm|remove|prune": VOLUMES,
    "rm -f|--force <listed>": "it deletes containers that it does not name, with what was written in them",
    "container rm -f|--force <listed>": "it deletes containers that it does not name, with what was written in them",
    "compose ** down -v|--volumes": VOLUMES,
    "stack rm|remove|down": TORN,
    "swarm leave -f|--force": TORN,
  },
  "docker-compose|podman-compose": { "** down -v|--volumes": VOLUMES },
  minikube: { delete: TORN },
  "kind|k3d": { "delete cluster|clusters": TORN, "cluster delete": TORN },
  "colima|limactl|multipass|lxc|incus": { "delete|purge": GONE },
  vagrant: { destroy: GONE },
  virsh: { "undefine|vol-delete|pool-delete": GONE },
  "qm|pct": { destroy: GONE },
  wsl: { "--unregister": GONE },
};
