/** Reasons shared by rules for several products. */
export const GONE = "it deletes the resource, with whatever is in it";
export const OBJECTS = "it deletes every object below";
export const TEARS_DOWN = "it takes down what is running";
export const STATE_GONE = "the record of what was deployed would be lost";
export const SECRETS_GONE = "it deletes secrets, whose values may be kept nowhere else";
export const BACKUPS_GONE = "it deletes backups";
export const ACCESS_GONE = "people or services that use it would lose their access";
