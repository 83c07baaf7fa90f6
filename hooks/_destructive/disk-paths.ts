/** Prefixes of disk device paths. */
export const DISK_PREFIXES =
  "/dev/sd /dev/hd /dev/vd /dev/xvd /dev/nvme /dev/mmcblk /dev/disk /dev/rdisk /dev/mapper/ /dev/md /dev/dm-".split(
    " ",
  );
