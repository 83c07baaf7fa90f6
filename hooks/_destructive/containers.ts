import { RESOURCE_LOSS, SECRET_LOSS, TEARDOWN } from "./cloud-reasons.ts";
import type { CommandRule } from "./pattern.ts";

const CONTAINER_PROGRAMS = "docker|podman|nerdctl";
const VOLUME_LOSS = "it deletes volumes, whose data isn't in any image";
const CONTAINER_LOSS = "it deletes containers that the command doesn't name, along with their data";

/** Rules about containers, virtual machines, and local clusters, in the `cloud` category. */
export const containerRules: readonly CommandRule[] = [
  {
    id: "cloud/docker-system-prune",
    program: CONTAINER_PROGRAMS,
    pattern: "system prune -a|--all|--volumes",
    reason: "it deletes stopped containers and every unused image or anonymous volume",
    advice: "prune without --all and --volumes",
    deny: ["docker system prune -a --volumes", "docker system prune -af"],
    allow: ["docker system prune", "docker image prune -f"],
  },
  {
    id: "cloud/podman-system-reset",
    program: CONTAINER_PROGRAMS,
    pattern: "system reset",
    reason: "it deletes all containers, images, volumes and networks",
    deny: ["podman system reset", "podman system reset --force"],
    allow: ["podman system df"],
  },
  {
    id: "cloud/docker-volume-rm",
    program: CONTAINER_PROGRAMS,
    pattern: ["volume rm|remove <lasting>", "volume rm|remove --all|-a", "volume prune !--dry-run"],
    reason: VOLUME_LOSS,
    deny: ["docker volume rm data", "docker volume prune -f", "docker volume rm $(docker volume ls -q)"],
    allow: ["docker volume ls", "docker run --rm -v data:/data alpine ls", "docker volume rm shop_test_data"],
  },
  {
    id: "cloud/docker-rm-listed",
    program: CONTAINER_PROGRAMS,
    pattern: ["rm -f|--force <listed>", "container rm -f|--force <listed>", "rm --all|-a"],
    reason: CONTAINER_LOSS,
    advice: "name the containers to delete",
    deny: ["docker rm -f $(docker ps -aq)", "docker ps -aq | xargs docker rm -f"],
    allow: ["docker rm -f web", "docker ps -a"],
  },
  {
    id: "cloud/docker-compose-down-volumes",
    program: CONTAINER_PROGRAMS,
    pattern: "compose down -v|--volumes !--dry-run ?outsideTestProject",
    reason: VOLUME_LOSS,
    advice: "leave out --volumes",
    deny: [
      "docker compose down -v",
      "docker compose -f x.yml down --volumes",
      "docker compose -p shop -f docker-compose.test.yml down -v",
      "docker compose -f docker-compose.yml -f docker-compose.test.yml down -v",
    ],
    allow: [
      "docker compose down",
      "docker compose --dry-run down -v",
      "docker compose up -d",
      "docker compose -p test -f docker-compose.test.yml down -v",
      "docker compose -f compose.e2e.yaml down -v --remove-orphans",
      "docker compose run -v ./x:/x web down",
    ],
  },
  {
    id: "cloud/docker-rm-volumes",
    // https://docs.docker.com/reference/cli/docker/container/rm/
    program: CONTAINER_PROGRAMS,
    pattern: ["rm -v|--volumes <lasting>", "container rm -v|--volumes <lasting>"],
    reason: "it deletes <lasting> and its anonymous volumes, which may hold a database",
    advice: "leave out --volumes",
    deny: ["docker rm -fv db", "docker container rm --volumes shop-db-1", "docker ps -aq | xargs docker rm -v"],
    allow: ["docker rm -f db", "docker rm -fv shop-test-db"],
  },
  {
    id: "cloud/docker-compose-rm-volumes",
    // https://docs.docker.com/reference/cli/docker/compose/rm/
    program: CONTAINER_PROGRAMS,
    pattern: "compose rm -v|--volumes !--dry-run ?outsideTestProject",
    reason: "it deletes the services' anonymous volumes, which may hold a database",
    advice: "leave out --volumes",
    deny: ["docker compose rm -sfv", "docker compose -f x.yml rm --stop --force --volumes db"],
    allow: ["docker compose rm -sf web", "docker compose -p test rm -sfv"],
  },
  {
    id: "cloud/compose-rm-volumes",
    program: "docker-compose|podman-compose",
    pattern: "rm -v|--volumes !--dry-run ?outsideTestProject",
    reason: "it deletes the services' anonymous volumes, which may hold a database",
    advice: "leave out --volumes",
    deny: ["docker-compose rm -sfv", "docker-compose -f x.yml rm -v db"],
    allow: ["docker-compose rm -sf web", "docker-compose -f compose.ci.yml rm -fv"],
  },
  {
    id: "cloud/docker-stack-rm",
    // https://docs.docker.com/reference/cli/docker/service/rm/
    program: CONTAINER_PROGRAMS,
    pattern: ["stack rm|remove|down", "service rm|remove", "node rm|remove -f|--force"],
    reason: TEARDOWN,
    deny: ["docker stack rm shop", "docker stack down shop", "docker service rm web"],
    allow: ["docker stack ls", "docker service scale web=2"],
  },
  {
    id: "cloud/docker-secret-rm",
    // https://docs.docker.com/reference/cli/docker/secret/rm/
    program: CONTAINER_PROGRAMS,
    pattern: "secret rm|remove",
    reason: SECRET_LOSS,
    deny: ["docker secret rm db-password", "podman secret rm --all"],
    allow: ["docker secret ls", "docker secret create x x.txt"],
  },
  {
    id: "cloud/podman-machine-rm",
    // https://docs.podman.io/en/latest/markdown/podman-machine-reset.1.html
    program: "podman",
    pattern: ["machine rm|reset", "kube|play down --force", "pod rm -f|--force --all|-a"],
    reason: "it deletes the machine and every container and volume in it, or deletes pods and their volumes",
    deny: ["podman machine reset -f", "podman machine rm", "podman kube down --force app.yaml"],
    allow: ["podman machine stop", "podman kube down app.yaml"],
  },
  {
    id: "cloud/docker-swarm-leave",
    program: CONTAINER_PROGRAMS,
    pattern: "swarm leave -f|--force",
    reason: TEARDOWN,
    deny: ["docker swarm leave --force", "docker swarm leave -f"],
    allow: ["docker swarm leave"],
  },
  {
    id: "cloud/compose-down-volumes",
    program: "docker-compose|podman-compose",
    pattern: "down -v|--volumes !--dry-run ?outsideTestProject",
    reason: VOLUME_LOSS,
    advice: "leave out --volumes",
    deny: ["docker-compose down -v --remove-orphans", "podman-compose -f x.yml down --volumes"],
    allow: [
      "docker-compose down",
      "docker-compose --dry-run down -v",
      "docker-compose -f test/compose.yml -p ci down -v",
    ],
  },
  {
    id: "cloud/minikube-delete",
    program: "minikube",
    pattern: "delete",
    reason: TEARDOWN,
    deny: ["minikube delete", "minikube delete --all"],
    allow: ["minikube start", "minikube stop"],
  },
  {
    id: "cloud/kind-delete",
    program: "kind|k3d",
    pattern: ["delete cluster|clusters", "cluster delete"],
    reason: TEARDOWN,
    deny: ["kind delete cluster", "k3d cluster delete shop"],
    allow: ["kind get clusters"],
  },
  {
    id: "cloud/virtual-machine-delete",
    // https://linuxcontainers.org/incus/docs/main/reference/manpages/incus/ https://canonical.com/multipass/docs
    // https://lima-vm.io/docs/reference/ https://docs.orbstack.dev/headless https://tart.run
    program: "colima|limactl|multipass|lxc|incus|orb|orbctl|tart|crc|rdctl|machinectl|devpod|coder|prlctl",
    pattern: [
      "delete|purge|factory-reset|reset|remove|rm",
      "storage|volume|project|snapshot|workspace|network delete|rm",
      "storage volume delete",
    ],
    reason: "it deletes a machine and its data, or part of a machine",
    deny: [
      "colima delete",
      "multipass purge",
      "lxc delete web",
      "orb delete -f ubuntu",
      "incus storage volume delete p v",
    ],
    allow: ["colima start", "limactl list", "coder ssh web"],
  },
  {
    id: "cloud/vagrant-destroy",
    program: "vagrant",
    pattern: ["destroy", "snapshot delete|restore"],
    reason: "it deletes the machine, or discards changes made since a snapshot",
    deny: ["vagrant destroy -f", "vagrant destroy web", "vagrant snapshot restore clean"],
    allow: ["vagrant up", "vagrant halt", "vagrant box remove old"],
  },
  {
    id: "cloud/virtualbox-delete",
    // https://www.virtualbox.org/manual/topics/vboxmanage.html
    program: "vboxmanage|VBoxManage",
    pattern: [
      "unregistervm --delete|--delete-all",
      "closemedium --delete",
      "snapshot ** delete|restore|restorecurrent",
    ],
    reason: "it deletes a machine or a disk, or discards changes made since a snapshot",
    deny: ["VBoxManage unregistervm web --delete", "vboxmanage closemedium disk x.vdi --delete"],
    allow: ["VBoxManage list vms", "VBoxManage unregistervm web"],
  },
  {
    id: "cloud/virsh-undefine",
    // https://www.libvirt.org/manpages/virsh.html
    program: "virsh",
    pattern:
      "** undefine|vol-delete|vol-wipe|pool-delete|pool-undefine|snapshot-delete|snapshot-revert|managedsave-remove",
    reason: "it deletes a machine's definition or disks, or discards changes made since a snapshot",
    deny: ["virsh undefine vm", "virsh vol-delete x --pool default", "virsh -c qemu:///system snapshot-revert vm s1"],
    allow: ["virsh list --all", "virsh shutdown vm"],
  },
  {
    id: "cloud/proxmox-destroy",
    // https://pve.proxmox.com/pve-docs/
    program: "qm|pct|pvesm|pveceph|pvesh|pveum|vzctl|xe|vmrun|xl",
    pattern: [
      "delete",
      "user|group|pool|role delete",
      "destroy|delsnapshot|rollback|free|remove|deleteVM|deleteSnapshot|revertToSnapshot",
      "pool|osd|mon destroy",
      "vm-destroy|vm-uninstall|vdi-destroy|sr-destroy|snapshot-uninstall|snapshot-revert",
    ],
    reason: "it deletes a machine or a disk, or discards changes made since a snapshot",
    deny: [
      "qm destroy 100",
      "pct destroy 101 --purge",
      "qm rollback 100 clean",
      "xe vm-uninstall uuid=x --force",
      "pvesh delete /nodes/pve/qemu/100",
    ],
    allow: ["qm list", "xe vm-list", "pvesh get /nodes"],
  },
  {
    id: "cloud/wsl-unregister",
    program: "wsl",
    pattern: "--unregister",
    reason: RESOURCE_LOSS,
    deny: ["wsl --unregister Ubuntu", "wsl.exe --unregister Ubuntu"],
    allow: ["wsl --list"],
  },
];
