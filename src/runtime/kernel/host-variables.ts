/** What a host may have for the code in its kernels. */
export interface HostVariables {
  /** The file that holds the agent's conversation. */
  readonly sessionFile?: string | undefined;
  /** Where artifacts are kept. */
  readonly artifactsFolder?: string | undefined;
  /** A shell snapshot that exists, or will soon. */
  readonly shellSnapshot?: string | undefined;
  /** Where Python reaches the host's tools. Its token is handed to the prelude only. */
  readonly bridge?: { readonly url: string; readonly token: string; readonly session: string } | undefined;
}

/** The variables whose values differ from session to session, though all else may be the same. */
export const variablesOfSessions = [
  "PI_SESSION_FILE",
  "ARTIFACTS",
  "PI_ARTIFACTS_DIR",
  "PI_SHELL_SNAPSHOT",
  "PI_TOOL_BRIDGE_URL",
  "PI_TOOL_BRIDGE_SESSION",
] as const;

/** As the variables of that name that preludes and modules read. */
export function hostVariables(host: HostVariables = {}): Record<string, string> {
  const { sessionFile, artifactsFolder, shellSnapshot, bridge } = host;
  const variables: Record<(typeof variablesOfSessions)[number], string | undefined> = {
    PI_SESSION_FILE: sessionFile,
    // Both names are documented, for the same folder.
    ARTIFACTS: artifactsFolder,
    PI_ARTIFACTS_DIR: artifactsFolder,
    PI_SHELL_SNAPSHOT: shellSnapshot,
    PI_TOOL_BRIDGE_URL: bridge?.url,
    PI_TOOL_BRIDGE_SESSION: bridge?.session,
  };
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
