/**
 * Variables by which a project's .env would make the hook's bash load code, do nothing, or print; an entry's own
 * variables win. If SHLVL is below 1, bash takes the socket that the host gives it for a network login, and runs
 * ~/.bashrc [seen Gemini CLI 0.61.0, 2026-11-22].
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
