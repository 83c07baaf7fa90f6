/** Reasons shared by rules for several products. */
export const RESOURCE_LOSS = "it deletes the resource and everything in it";
export const OBJECT_LOSS = "it deletes every object under that path";
export const TEARDOWN = "it tears down running resources";
export const STATE_LOSS = "the deployment state would be lost";
export const SECRET_LOSS = "it deletes secrets whose values may not be stored anywhere else";
export const BACKUP_LOSS = "it deletes backups";
export const ACCESS_LOSS = "users or services would lose access";
