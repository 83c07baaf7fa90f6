/** The path of the executable's own packed sources inside the executable. The build replaces this file. */
export const sources: string | undefined = undefined;
