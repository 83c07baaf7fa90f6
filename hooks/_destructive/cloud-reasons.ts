/** Reasons shared by rules for several products. */
export const GONE = "it deletes the resource and everything in it";
export const OBJECTS = "it deletes every object under that path";
export const TEARS_DOWN = "it tears down running resources";
export const STATE_GONE = "the deployment state would be lost";
export const SECRETS_GONE = "it deletes secrets whose values may not be stored anywhere else";
export const BACKUPS_GONE = "it deletes backups";
export const ACCESS_GONE = "users or services would lose access";
