import { BACKUP_LOSS, TEARDOWN } from "./cloud-reasons.ts";
import type { CommandRule } from "./pattern.ts";

const KUBERNETES_PROGRAMS = "kubectl|oc|k";

/** Rules about Kubernetes and its deployment tools, in the `cloud` category. */
export const kubernetesRules: readonly CommandRule[] = [
  {
    id: "cloud/kubectl-delete-namespace",
    program: KUBERNETES_PROGRAMS,
    pattern: "delete <namespace> !--dry-run",
    reason: "it deletes everything in the namespace",
    deny: ["kubectl delete ns shop", "kubectl delete namespace/shop", "oc delete project shop"],
    allow: ["kubectl delete pod x", "kubectl delete ns shop --dry-run=client"],
  },
  {
    id: "cloud/kubectl-delete-all",
    program: KUBERNETES_PROGRAMS,
    pattern: "delete --all|--all-namespaces|-A !--dry-run",
    reason: "it deletes every resource of this kind",
    advice: "name the resources to delete",
    deny: ["kubectl -n shop delete pods --all", "kubectl delete --all deployments", "k delete jobs -A"],
    allow: ["kubectl get pods -A", "kubectl delete deploy,svc -l app=x"],
  },
  {
    id: "cloud/kubectl-delete-kustomization",
    program: KUBERNETES_PROGRAMS,
    pattern: "delete -k|--kustomize !--dry-run",
    reason: TEARDOWN,
    advice: "preview the result with --dry-run=client",
    deny: ["kubectl delete -k overlays/prod", "kubectl delete --kustomize=overlays/prod"],
    allow: ["kubectl apply -k overlays/prod", "kubectl delete -k overlays/dev --dry-run=client"],
  },
  {
    id: "cloud/kubectl-delete-storage",
    program: KUBERNETES_PROGRAMS,
    pattern: "delete <kept> !--dry-run",
    reason: "it deletes volumes, a node, a stateful set, or a custom resource definition and all its resources",
    deny: ["kubectl delete pvc data-0", "kubectl delete StatefulSet db", "kubectl delete crd widgets.example.org"],
    allow: ["kubectl delete -f job.yaml", "kubectl delete pvc,svc -l app=x --dry-run=client"],
  },
  {
    id: "cloud/kubectl-delete-manifests",
    program: KUBERNETES_PROGRAMS,
    pattern: "delete <manifests> !--dry-run",
    reason: "it deletes everything in several manifests, including volumes and namespaces",
    advice: "preview the result with --dry-run=client",
    deny: [
      "kubectl delete -f k8s/",
      "kubectl delete -f ./deploy --recursive",
      "kustomize build overlays/prod | kubectl delete -f -",
      "helm template shop ./chart | kubectl delete --ignore-not-found -f -",
      "oc delete --filename=.",
    ],
    allow: [
      "kubectl delete -f job.yaml",
      "kubectl delete -f k8s/ --dry-run=client",
      "kustomize build overlays/prod | kubectl apply -f -",
      "kubectl delete -f - <<'E'\nkind: Pod\nE",
    ],
  },
  {
    id: "cloud/kubectl-delete-secret",
    program: KUBERNETES_PROGRAMS,
    pattern: "delete <secret> !--dry-run ?deletesSecret",
    reason: "it deletes <secret>, whose only copy may be in the cluster",
    deny: [
      "kubectl delete secret db-credentials -n prod",
      "kubectl delete secrets/tls",
      "oc delete secret,cm -l app=x",
    ],
    allow: [
      "kubectl delete configmap shop",
      "kubectl delete secret tls --ignore-not-found && kubectl create secret tls tls --cert=c.crt --key=k.key",
      "kubectl get secret -n prod",
    ],
  },
  {
    id: "cloud/kubectl-apply-prune",
    // https://kubernetes.io/docs/tasks/manage-kubernetes-objects/declarative-config/#how-to-delete-objects
    program: KUBERNETES_PROGRAMS,
    pattern: "apply <pruned> !--dry-run",
    reason: "it deletes every matching resource that isn't in these files",
    advice: 'preview the result with "kubectl diff --prune"',
    deny: ["kubectl apply -f k8s/ --prune -l app=shop", "kubectl apply --prune -f manifest.yaml --all"],
    allow: ["kubectl apply -f k8s/", "kubectl apply -f k8s/ --prune -l app=shop --dry-run=server"],
  },
  {
    id: "cloud/kubectl-scale-all",
    program: KUBERNETES_PROGRAMS,
    pattern: "scale --all|-l|--selector <none> !--dry-run",
    reason: "it stops every matching workload",
    advice: "name the workload to scale",
    deny: ["kubectl scale deploy --all --replicas=0 -n prod", "kubectl scale --replicas 0 deployments --all"],
    allow: ["kubectl scale deploy web --replicas=0", "kubectl scale deploy --all --replicas=2"],
  },
  {
    id: "cloud/kubectl-delete-raw",
    // https://kubernetes.io/docs/reference/kubectl/generated/kubectl_delete/
    program: KUBERNETES_PROGRAMS,
    pattern: "delete --raw",
    reason: "it deletes the object at the API path, possibly a whole namespace",
    deny: ["kubectl delete --raw /api/v1/namespaces/shop", "oc delete --raw=/api/v1/nodes/n1"],
    allow: ["kubectl get --raw /healthz"],
  },
  {
    id: "cloud/kubectl-replace-force",
    // https://kubernetes.io/docs/reference/kubectl/generated/kubectl_replace/
    program: KUBERNETES_PROGRAMS,
    pattern: "replace --force !--dry-run",
    reason: "it deletes the resource before recreating it",
    deny: ["kubectl replace --force -f db.yaml", "oc replace -f x.yaml --force"],
    allow: ["kubectl replace -f db.yaml", "kubectl apply --server-side --force-conflicts -f x.yaml"],
  },
  {
    id: "cloud/kubectl-drain",
    // https://kubernetes.io/docs/reference/kubectl/generated/kubectl_drain/
    program: KUBERNETES_PROGRAMS,
    pattern: [
      "drain --delete-emptydir-data|--delete-local-data|--force !--dry-run",
      "adm drain --delete-emptydir-data",
    ],
    reason: "it deletes pods that nothing would recreate, or the data in pods' emptyDir volumes",
    deny: ["kubectl drain n1 --ignore-daemonsets --delete-emptydir-data", "kubectl drain n1 --force"],
    allow: ["kubectl drain n1 --ignore-daemonsets", "kubectl drain n1 --force --dry-run=client", "kubectl cordon n1"],
  },
  {
    id: "cloud/helm-uninstall",
    program: "helm",
    pattern: "uninstall|delete|del|un !--dry-run",
    reason: TEARDOWN,
    deny: ["helm uninstall shop", "helm -n shop delete shop"],
    allow: ["helm uninstall shop --dry-run", "helm upgrade --install shop ./chart"],
  },
  {
    id: "cloud/helmfile-destroy",
    program: "helmfile",
    pattern: "** destroy|delete",
    reason: TEARDOWN,
    deny: ["helmfile destroy", "helmfile -e prod delete"],
    allow: ["helmfile diff"],
  },
  {
    id: "cloud/argocd-delete",
    // https://argo-cd.readthedocs.io/en/stable/user-guide/commands/argocd/
    program: "argocd",
    pattern: [
      "app|appset|proj|project|cluster|repo|repocreds delete|rm|remove",
      "app delete-resource",
      "admin import !--dry-run",
      "app sync --force|--replace !--dry-run",
    ],
    reason: "it deletes applications and their resources, or the repositories and clusters they use",
    deny: [
      "argocd app delete shop --yes",
      "argocd cluster rm https://k8s",
      "argocd appset delete shops",
      "argocd app sync shop --prune --force",
    ],
    allow: ["argocd app list", "argocd app sync shop", "argocd app sync shop --prune"],
  },
  {
    id: "cloud/flux-delete",
    // https://fluxcd.io/flux/cmd/
    program: "flux",
    pattern: "uninstall|delete !--dry-run",
    reason: "it deletes Flux objects and, with pruning, the resources that Flux deployed",
    deny: ["flux uninstall --silent", "flux delete kustomization apps --silent"],
    allow: ["flux get kustomizations", "flux uninstall --dry-run", "flux suspend kustomization apps"],
  },
  {
    id: "cloud/velero-delete",
    // https://velero.io/docs/main/
    program: "velero",
    pattern: ["delete", "uninstall", "backup|restore|schedule|backup-location|repo delete"],
    reason: BACKUP_LOSS,
    deny: ["velero backup delete nightly --confirm", "velero delete backups --all", "velero uninstall --force"],
    allow: ["velero backup get", "velero backup create x"],
  },
  {
    id: "cloud/cluster-reset",
    // https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-reset/ https://www.talos.dev/latest/reference/cli/
    program: "kubeadm|talosctl|k0s|k0sctl|microk8s|rke|openshift-install|clusterctl|sealos",
    pattern: ["reset|remove|destroy", "destroy cluster", "delete --all|--cluster"],
    reason: "it deletes a cluster, or removes this machine from a cluster",
    deny: [
      "kubeadm reset -f",
      "talosctl reset --graceful=false",
      "openshift-install destroy cluster",
      "microk8s reset",
    ],
    allow: ["kubeadm version", "talosctl health", "clusterctl describe cluster x"],
  },
  {
    id: "cloud/cluster-uninstall",
    // https://docs.k3s.io/installation/uninstall https://docs.rke2.io/install/uninstall
    program: "k3s-uninstall.sh|k3s-agent-uninstall.sh|rke2-uninstall.sh|k3s-killall.sh|rke2-killall.sh",
    pattern: "?isNamed",
    reason: "it stops the cluster on this machine, or uninstalls the cluster and its data",
    deny: ["/usr/local/bin/k3s-uninstall.sh", "sudo rke2-uninstall.sh"],
    allow: ["k3s --version", "ls /usr/local/bin/k3s-uninstall.sh"],
  },
  {
    id: "cloud/etcd-member-remove",
    // https://etcd.io/docs/latest/op-guide/runtime-configuration/
    program: "etcdctl",
    pattern: "** member remove",
    reason: "the cluster may lose its quorum and stop accepting writes",
    deny: ["etcdctl member remove 8e9e05c52164694d", "etcdctl --endpoints h:2379 member remove 8e9e"],
    allow: ["etcdctl member list"],
  },
  {
    id: "cloud/deployment-delete",
    // https://skaffold.dev/docs/references/cli/ https://carvel.dev/kapp/docs/latest/ https://docs.tilt.dev/cli/tilt_down.html
    program: "skaffold|kapp|tilt|vcluster|werf|okteto|devspace|vela|kn|istioctl|cilium",
    pattern: ["delete|dismiss|uninstall|purge|destroy", "down --delete-namespaces", "app-group|service delete"],
    reason: TEARDOWN,
    deny: [
      "skaffold delete",
      "kapp delete -a shop -y",
      "tilt down --delete-namespaces",
      "vcluster delete dev",
      "kn service delete api",
    ],
    allow: ["skaffold dev", "tilt down", "istioctl analyze"],
  },
];
