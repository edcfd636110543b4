import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, join, relative, resolve } from "node:path";
import type { Environment } from "../../support/environment.ts";
import { realOrSame } from "../real-path.ts";

/**
 * Hidden in every sandbox: secrets, Granary's own tokens, and sockets of programs that act for the user.
 * @param folders where programs start: a variable may name a path relative to them
 * @param account the home folder of the account, which may be another than that of the variable
 */
export function hiddenPaths(
  userHome: string,
  granaryHome: string,
  env: Environment = {},
  folders: readonly string[] = [],
  account = accountHome(),
): readonly string[] {
  const inFull = (path: string): readonly string[] =>
    path.startsWith("~/") ? [join(userHome, path.slice(2))] : folders.map((folder) => resolve(folder, path));
  const homes = [...new Set([userHome, account])];
  const moved = [...movedFolders(env), ...movedFiles(env)]
    .flatMap(inFull)
    .filter((path) => homes.every((home) => isHidable(path, home)));
  const atHome = homes.flatMap((home) => secretsAtHome.map((name) => join(home, name)));
  return [...atHome, ...moved, granaryHome, ...secretsOfMachine];
}

let knownHome: string | undefined;

/** With another HOME, as in jobs of CI and behind `sudo -E`, keys are still in the home folder of the account. */
function accountHome(): string {
  try {
    knownHome ??= realOrSame(resolve("/", userInfo().homedir));
  } catch {
    // In a container, the user may have no account.
    knownHome = "/";
  }
  return knownHome;
}

/** Places of secrets and of programs that act for the user, below the home folder. */
const secretsAtHome = [
  // Keys and passwords.
  ...[".ssh", ".gnupg", ".netrc", ".password-store", ".git-credentials", ".config/git/credentials", ".config/op"],
  ...[".local/share/keyrings", ".local/share/kwalletd", ".Xauthority", "Library/Keychains"],
  // A hub that starts later may have its usual folder.
  ".granary",
  // Clouds, registries and databases.
  ...[".aws", ".azure", ".oci", ".kube", ".docker", ".config/gcloud", ".config/doctl", ".config/hcloud", ".boto"],
  ...[".s3cfg", ".config/rclone", ".config/containers/auth.json", ".terraform.d", ".vault-token", ".kaggle"],
  ...[".config/gh", ".config/hub", ".config/glab-cli", ".npmrc", ".pypirc", ".pgpass", ".my.cnf"],
  ...[".cargo/credentials", ".cargo/credentials.toml", ".cache/huggingface/token", ".cache/huggingface/stored_tokens"],
  ...[".databrickscfg", ".snowflake", ".pulumi", ".fly", ".cloudflared", ".config/openstack"],
  ...[".m2/settings.xml", ".gradle/gradle.properties", ".gem/credentials", ".modal.toml", ".dbt/profiles.yml"],
  ...[".config/heroku", ".config/composer/auth.json", ".config/stripe"],
  ...[".config/pypoetry/auth.toml", ".local/share/uv/credentials", ".config/age", ".config/sops", ".config/Bitwarden"],
  // Browsers and mail.
  ...[".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware"],
  ...[
    ".config/microsoft-edge",
    ".config/vivaldi",
    ".config/opera",
    "snap/firefox",
    "snap/chromium",
    "snap/thunderbird",
  ],
  ...[".var/app/org.mozilla.firefox", ".var/app/org.mozilla.Thunderbird", ".var/app/com.google.Chrome"],
  ...[".var/app/org.chromium.Chromium", ".var/app/com.brave.Browser", "Library/Cookies"],
  ...["Library/HTTPStorages", "Library/Mail", "Library/Messages", "Library/Safari", "Library/Group Containers"],
  ...["Google/Chrome", "Firefox", "Chromium", "BraveSoftware", "Microsoft Edge", "Arc", "1Password"].map(
    (name) => `Library/Application Support/${name}`,
  ),
  ...[".config/mozilla", ".librewolf", ".zen", ".config/google-chrome-beta", ".config/microsoft-edge-dev"],
  ...[".var/app/com.microsoft.Edge", ".var/app/com.vivaldi.Vivaldi", ".var/app/io.gitlab.librewolf-community"],
  // Agents and editors.
  ...[".claude", ".claude.json", ".codex", ".gemini", ".pi", ".copilot", ".cursor", ".config/github-copilot"],
  ...[".config/Code/User/globalStorage", ".config/Cursor/User/globalStorage", ".config/opencode"],
  ...[".local/share/opencode", "Library/Application Support/Code/User/globalStorage"],
  ...[".vscode-server/data", ".local/share/jupyter/runtime"],
  // Of the rest of ~/.jupyter, such as the settings of nbconvert, programs inside have need.
  ...["json", "py"].flatMap((kind) => ["server", "notebook"].map((app) => `.jupyter/jupyter_${app}_config.${kind}`)),
  // Shells, which may have been given a password.
  ...[".zhistory", ".local/share/atuin", ".config/nushell/history.txt", ".ipython/profile_default/history.sqlite"],
  ...[".bash_history", ".zsh_history", ".python_history", ".psql_history", ".mysql_history", ".node_repl_history"],
  ...[".local/share/fish/fish_history", ".config/fish/fish_variables", ".local/state/bash/history"],
];

const secretsOfMachine = [
  ...["/run", "/tmp", "/var/tmp"],
  ...["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/Library/Keychains"],
  ...["/etc/ssl/private", "/etc/pki/tls/private"],
];

/** Secrets in folders that a variable has moved. */
function movedFolders(env: Environment): readonly string[] {
  const inFolder = (folder: string | undefined, usual: string): readonly string[] =>
    folder
      ? secretsAtHome.filter((name) => name.startsWith(usual)).map((name) => join(folder, name.slice(usual.length)))
      : [];
  return [
    ...inFolder(env.XDG_CONFIG_HOME, ".config/"),
    ...inFolder(env.XDG_DATA_HOME, ".local/share/"),
    ...inFolder(env.XDG_CACHE_HOME, ".cache/"),
    ...inFolder(env.XDG_STATE_HOME, ".local/state/"),
    ...inFolder(env.CARGO_HOME, ".cargo/"),
    ...inFolder(env.HF_HOME, ".cache/huggingface/"),
    ...inFolder(env.GRADLE_USER_HOME, ".gradle/"),
    ...inFolder(env.COMPOSER_HOME, ".config/composer/"),
    ...inFolder(env.JUPYTER_CONFIG_DIR, ".jupyter/"),
    ...inFolder(env.JUPYTER_DATA_DIR, ".local/share/jupyter/"),
    // The certificates beside the key may be those of the whole system.
    ...(env.DOCKER_CERT_PATH ? [join(env.DOCKER_CERT_PATH, "key.pem")] : []),
    ...(env.ZDOTDIR ? [join(env.ZDOTDIR, ".zsh_history")] : []),
  ];
}

/** Variables that name a secret file, or the folder of one. */
const secretVariables = [
  ...["ANSIBLE_VAULT_PASSWORD_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "AWS_WEB_IDENTITY_TOKEN_FILE"],
  ...["AZURE_CONFIG_DIR", "AZURE_FEDERATED_TOKEN_FILE", "BOTO_CONFIG", "CLAUDE_CONFIG_DIR"],
  ...["CLOUDSDK_CONFIG", "CODEX_HOME", "COPILOT_HOME", "DOCKER_CONFIG", "GH_CONFIG_DIR", "GNUPGHOME"],
  ...["CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE", "GOOGLE_GHA_CREDS_PATH", "SOPS_AGE_KEY_FILE"],
  ...["GOOGLE_APPLICATION_CREDENTIALS", "HF_TOKEN_PATH", "HISTFILE", "KAGGLE_CONFIG_DIR", "NETRC"],
  ...[
    "JUPYTER_RUNTIME_DIR",
    "MODAL_CONFIG_PATH",
    "MYSQL_HISTFILE",
    "NODE_REPL_HISTORY",
    "PSQL_HISTORY",
    "PYTHON_HISTORY",
  ],
  ...["NPM_CONFIG_USERCONFIG", "PASSWORD_STORE_DIR", "PGPASSFILE", "RCLONE_CONFIG", "REGISTRY_AUTH_FILE", "XAUTHORITY"],
];

function movedFiles({ KUBECONFIG: several = "", ...env }: Environment): readonly string[] {
  const named = [...secretVariables.map((name) => env[name] ?? ""), ...several.split(delimiter)];
  return named.filter((path) => path !== "");
}

/** A variable may name something that programs need, such as the null device, the home folder itself or a folder of the system. */
function isHidable(path: string, userHome: string): boolean {
  const isAround = (inner: string): boolean => !relative(path, inner).startsWith("..");
  if (/^\/etc(\/|$)/.test(path)) return isFile(path);
  return !/^\/(dev|proc|sys|usr|bin|lib)(\/|$)/.test(path) && !isAround(userHome);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
