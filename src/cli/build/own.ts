// The build replaces this file.

/** The path of the packed sources inside the executable. */
export const sources: string | undefined = undefined;
