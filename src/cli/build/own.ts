// The build replaces this file.

/** The path of the executable's own packed sources inside the executable. */
export const sources: string | undefined = undefined;
