"""What an editor asks between cells: completion and inspection."""
