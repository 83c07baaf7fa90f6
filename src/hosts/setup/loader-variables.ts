/**
 * Variables that an entry resets so that a project's .env can't use them to make the hook's bash load code, print text,
 * or do nothing. Variables set by an entry override the .env. If SHLVL is below 1, bash mistakes the host's socket for
 * a network login and runs ~/.bashrc [seen Gemini CLI 0.61.0, 2026-11-22].
 */
export const LOADER_RESET_VARIABLES: Readonly<Record<string, string>> = {
  BASH_ENV: "",
  SHELLOPTS: "",
  LD_PRELOAD: "",
  LD_AUDIT: "",
  LD_LIBRARY_PATH: "",
  DYLD_INSERT_LIBRARIES: "",
  SHLVL: "1",
};
