import { BACKUP_LOSS, OBJECT_LOSS } from "./cloud-reasons.ts";
import type { CommandRule } from "./pattern.ts";

/** Rules about object storage, distributed file systems, and backups, in the `cloud` category. */
export const storageRules: readonly CommandRule[] = [
  {
    id: "cloud/rclone-delete",
    // https://rclone.org/commands/
    program: "rclone",
    pattern: "purge|delete|cleanup|rmdirs !--dry-run|-n",
    reason: OBJECT_LOSS,
    advice: "preview the result with --dry-run",
    deny: ["rclone purge remote:bucket", "rclone delete remote:bucket/x"],
    allow: ["rclone delete --dry-run remote:bucket", "rclone ls remote:", "rclone deletefile remote:bucket/a.txt"],
  },
  {
    id: "cloud/rclone-sync-empty",
    // This makes the destination identical to the source. https://rclone.org/commands/rclone_sync/
    program: "rclone",
    pattern: "sync <hollow> !--dry-run|-n|--interactive|-i|--backup-dir",
    reason: "it deletes everything at the destination because <hollow> is empty",
    advice: "preview the result with --dry-run",
    deny: ["rclone sync ./empty remote:photos", "rclone sync /tmp/empty-dir/ remote:bucket -P"],
    allow: [
      "rclone sync dist remote:web",
      "rclone sync ./empty remote:photos --dry-run",
      "rclone copy ./empty remote:x",
    ],
  },
  {
    id: "cloud/s3cmd-delete-recursive",
    // https://s3tools.org/usage
    program: "s3cmd|s4cmd",
    pattern: "del|rm -r|--recursive !-n|--dry-run",
    reason: OBJECT_LOSS,
    deny: ["s3cmd del --recursive s3://bucket", "s3cmd rm -r s3://bucket/x"],
    allow: ["s3cmd del s3://bucket/file", "s3cmd del -r -n s3://bucket"],
  },
  {
    id: "cloud/s3cmd-delete-bucket",
    program: "s3cmd",
    pattern: "rb -r|--recursive|-f|--force",
    reason: "it deletes the bucket and everything in it",
    deny: ["s3cmd rb --recursive s3://bucket", "s3cmd rb --force s3://bucket"],
    allow: ["s3cmd rb s3://empty"],
  },
  {
    id: "cloud/s5cmd-delete",
    // https://github.com/peak/s5cmd
    program: "s5cmd",
    pattern: "rm <everything> !--dry-run",
    reason: OBJECT_LOSS,
    deny: ["s5cmd rm 's3://bucket/*'", "s5cmd rm s3://bucket/logs/*"],
    allow: ["s5cmd rm s3://bucket/a.txt", "s5cmd --dry-run rm 's3://bucket/*'"],
  },
  {
    id: "cloud/minio-delete-recursive",
    // https://min.io/docs/minio/linux/reference/minio-mc.html
    program: "mc|mcli",
    pattern: "rm -r|--recursive !--dry-run",
    reason: OBJECT_LOSS,
    deny: ["mc rm --recursive play/bucket", "mcli rm -r --force play/bucket"],
    allow: ["mc rm play/bucket/file", "mc ls play", "mc rm -r --dry-run play/bucket"],
  },
  {
    id: "cloud/minio-delete-bucket",
    program: "mc|mcli",
    pattern: "rb --force",
    reason: "it deletes the bucket and everything in it",
    deny: ["mc rb --force play/bucket", "mcli rb --force play/bucket"],
    allow: ["mc rb play/empty"],
  },
  {
    id: "cloud/b2-delete",
    // https://b2-command-line-tool.readthedocs.io
    program: "b2|backblaze-b2",
    pattern: ["rm -r|--recursive !--dry-run", "bucket delete", "delete-bucket"],
    reason: "it deletes a bucket, or every object under a path",
    deny: ["b2 rm --recursive b2://bucket/x", "b2 bucket delete shop", "b2 delete-bucket shop"],
    allow: ["b2 ls b2://bucket", "b2 rm b2://bucket/a.txt", "b2 rm -r --dry-run b2://bucket"],
  },
  {
    id: "cloud/object-storage-delete",
    // https://docs.openstack.org/python-swiftclient https://storj.dev/dcs/api/uplink-cli https://docs.lakefs.io
    program: "swift|uplink|lakectl|coscmd|ossutil|obsutil",
    pattern: ["delete --all|-a", "rb", "rm|delete -r|--recursive", "repo|branch delete"],
    reason: "it deletes a bucket, or every object under a path",
    deny: [
      "swift delete --all",
      "uplink rb sj://bucket --force",
      "ossutil rm -r oss://bucket",
      "lakectl repo delete lakefs://x",
    ],
    allow: ["swift list", "uplink ls", "ossutil cp a oss://bucket"],
  },
  {
    id: "cloud/ceph-delete",
    // https://docs.ceph.com/en/latest/rados/operations/pools/ https://docs.ceph.com/en/latest/man/8/rbd/
    program: "ceph|rados|rbd|radosgw-admin",
    pattern: [
      "osd pool delete|rm",
      "osd purge|destroy|rm|lost",
      "fs rm",
      "orch rm",
      "rmpool|purge",
      "rm|remove",
      "snap rm|purge|rollback",
      "trash rm|purge",
      "bucket rm",
      "user rm",
    ],
    reason: "it deletes a pool, an image, a bucket or a disk from the cluster",
    deny: [
      "ceph osd pool delete data data --yes-i-really-really-mean-it",
      "rbd rm pool/image",
      "rados purge data --yes-i-really-really-mean-it",
      "radosgw-admin bucket rm --bucket=shop --purge-objects",
    ],
    allow: ["ceph status", "rbd ls pool"],
  },
  {
    id: "cloud/gluster-delete",
    // https://docs.gluster.org/en/latest/CLI-Reference/cli-main/
    program: "gluster|juicefs",
    pattern: ["volume|snapshot delete", "volume remove-brick", "destroy", "rmr"],
    reason: "it deletes a distributed file system or part of it",
    deny: ["gluster volume delete data", "juicefs destroy redis://x 1234"],
    allow: ["gluster volume info", "juicefs status redis://x"],
  },
  {
    id: "cloud/hdfs-delete",
    // https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-common/FileSystemShell.html
    program: "hdfs|hadoop",
    pattern: ["dfs|fs -rm ?isRecursive", "dfs|fs -rmr|-expunge", "namenode -format"],
    reason: "it deletes everything under a path, or formats the file system",
    deny: ["hdfs dfs -rm -r -skipTrash /data", "hadoop fs -rmr /data", "hdfs namenode -format"],
    allow: ["hdfs dfs -ls /", "hadoop fs -rm /tmp/a.txt"],
  },
  {
    id: "cloud/restic-forget",
    // https://restic.readthedocs.io/en/stable/060_forget.html
    program: "restic|rustic",
    pattern: [
      "forget !-n|--dry-run !--keep-last|--keep-hourly|--keep-daily|--keep-weekly|--keep-monthly|--keep-yearly|--keep-within|--keep-tag|-l|-H|-d|-w|-m|-y",
      "forget ?keepsOnlyOneBackup !-n|--dry-run",
      "forget --unsafe-allow-remove-all !-n|--dry-run",
      "key remove",
      "unlock --remove-all",
      "rewrite --forget !-n|--dry-run",
      "repair snapshots --forget !-n|--dry-run",
    ],
    reason: "it deletes backups, or a key needed to read them",
    advice: 'preview the result with "restic forget --dry-run"',
    deny: [
      "restic forget 1a2b3c --prune",
      "restic forget --keep-last 1 --prune",
      "restic -r /backup forget -l 1 --prune",
      "restic forget --tag shop --unsafe-allow-remove-all",
      "restic key remove 1a2b",
    ],
    allow: [
      "restic forget --keep-daily 7 --keep-weekly 4 --prune",
      "restic snapshots",
      "restic forget 1a2b --dry-run",
      "restic forget --keep-last 1 --prune --dry-run",
    ],
  },
  {
    id: "cloud/borg-delete",
    // https://borgbackup.readthedocs.io/en/stable/usage/general.html
    program: "borg|borgmatic",
    pattern: ["delete|repo-delete|rdelete !-n|--dry-run", "prune ?keepsOnlyOneBackup !-n|--dry-run"],
    reason: BACKUP_LOSS,
    advice: "preview the result with --dry-run",
    deny: [
      "borg delete /backup/repo",
      "borg delete /backup/repo::monday",
      "borg repo-delete",
      "borg prune --keep-last=1 /backup/repo",
    ],
    allow: ["borg prune --keep-daily 7 /backup/repo", "borg delete --dry-run /backup/repo::monday", "borg list"],
  },
  {
    id: "cloud/duplicity-remove",
    // https://duplicity.gitlab.io/stable/duplicity.1.html
    program: "duplicity|duply",
    pattern: "remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full|cleanup|purge* --force",
    reason: BACKUP_LOSS,
    advice: "preview the result without --force",
    deny: ["duplicity remove-older-than 1M --force s3://x", "duplicity remove-all-but-n-full 1 --force file:///backup"],
    allow: ["duplicity remove-older-than 1M s3://x", "duplicity collection-status s3://x"],
  },
  {
    id: "cloud/backup-delete",
    // https://kopia.io/docs/reference/command-line/ https://pgbackrest.org/command.html https://docs.pgbarman.org
    // https://wal-g.readthedocs.io https://bup.github.io https://pbs.proxmox.com/docs/command-syntax.html
    program: "kopia|pgbackrest|barman|wal-g|wal-e|bup|duplicati-cli|proxmox-backup-client|proxmox-backup-manager",
    pattern: ["** delete|stanza-delete|forget|delete-backup !--dry-run|-n", "rm|gc --unsafe", "datastore remove"],
    reason: BACKUP_LOSS,
    deny: [
      "kopia snapshot delete 1a2b --delete",
      "pgbackrest --stanza=main stanza-delete --force",
      "wal-g delete everything FORCE --confirm",
      "barman delete main oldest",
    ],
    allow: ["kopia snapshot list", "pgbackrest info", "barman list-backups all"],
  },
  {
    id: "cloud/tarsnap-delete",
    // https://www.tarsnap.com/man-tarsnap.1.html
    program: "tarsnap",
    pattern: "-d|--nuke !--dry-run",
    reason: BACKUP_LOSS,
    deny: ["tarsnap --nuke", "tarsnap -d -f monday"],
    allow: ["tarsnap --list-archives", "tarsnap -c -f monday docs"],
  },
  {
    id: "cloud/system-snapshot-delete",
    // https://github.com/linuxmint/timeshift http://snapper.io/manpages/snapper.html
    program: "timeshift|snapper",
    pattern: ["--delete|--delete-all", "** delete|undochange"],
    reason: "it deletes system snapshots, or rolls back to one",
    deny: ["timeshift --delete-all", "snapper -c root delete 1-50"],
    allow: ["timeshift --list", "snapper list"],
  },
];
