/** Files of a working folder that other programs than git run later, outside of the sandbox. */
export const readOnlyNames = [
  ".granary",
  ".envrc",
  ".vscode",
  ".idea",
  ".mcp.json",
  ".claude",
  ".codex",
  ".cursor",
  ".gemini",
  ".pi",
  ".husky",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".config/fish/config.fish",
  ...[".venv", "venv"].flatMap((name) =>
    ["activate", "activate.csh", "activate.fish", "Activate.ps1", "activate.nu", "activate_this.py"].map(
      (file) => `${name}/bin/${file}`,
    ),
  ),
];
