/** Where the executable's own sources lie in it, packed. The build puts its own line in this file's place. */
export const sources: string | undefined = undefined;
