import type { ProgramRules } from "./pattern.ts";

const WRITES = "it overwrites the disk <disk>";

export const diskRules: ProgramRules = {
  "dd|dcfldd|dc3dd": { "of=<disk>": WRITES },
  "ddrescue|cp|mv": { "<last>": "it overwrites the disk <last>" },
  "tee|sponge|shred|scrub|nwipe": { "<disk>": WRITES },
  "mkfs|mkfs.*|mke2fs|mkswap|mkdosfs|mkntfs|newfs|newfs_apfs|newfs_exfat|newfs_hfs|newfs_msdos": {
    "<device>": "it formats <device>",
  },
  wipefs: { "-a|--all|-o|--offset <device> !-n|--no-act": "it wipes <device>" },
  "parted|partprobe": {
    "<device> ** mklabel|mktable|mkpart|rm|resizepart|rescue|name|set": "it changes the partitions of <device>",
  },
  "fdisk|gdisk|cfdisk": { "<device> !-l|--list|-x": "it changes the partitions of <device>" },
  sfdisk: { "<device> !-l|--list|-d|--dump|-J|--json|-V|--verify|-s": "it changes the partitions of <device>" },
  sgdisk: {
    "-Z|-z|--zap|--zap-all|-o|--clear|-d|--delete|-n|--new|-g|-l|--load-backup|-R|--replicate <device>":
      "it changes the partitions of <device>",
  },
  blkdiscard: { "<device>": "it wipes <device>" },
  badblocks: { "-w <device>": "it overwrites <device>" },
  hdparm: { "--security-erase|--security-erase-enhanced|--trim-sector-ranges": "it wipes the disk" },
  nvme: { "format|sanitize": "it wipes the disk" },
  cryptsetup: {
    "luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|reencrypt": "what is encrypted can't be read again",
  },
  "lvremove|vgremove|pvremove|lvreduce": { "!-t|--test": "the volume is gone, with what is on it" },
  lvm: { "lvremove|vgremove|pvremove|lvreduce !-t|--test": "the volume is gone, with what is on it" },
  zpool: { "destroy|labelclear": "the pool is gone, with what is on it" },
  zfs: { "destroy !-n": "it deletes what is on there, snapshots too", "rollback -r|-R": "later snapshots are gone" },
  btrfs: { "subvolume delete": "the subvolume is gone, with what is on it" },
  mdadm: { "--zero-superblock|--stop|--create|-S|-C": "it takes an array apart" },
  diskutil: {
    "erase*|partitionDisk|zeroDisk|randomDisk|secureErase|reformat|resetFusion": "it wipes the disk",
    "apfs|coreStorage|cs|ar|appleRAID delete*|erase*": "the volume is gone, with what is on it",
  },
  asr: { "restore --erase": "it overwrites the disk" },
  "format|format.com": { "<drive>": "it formats <drive>" },
  diskpart: { "": "it changes disks" },
};
