"""Questions of an editor between cells: completion and inspection."""
