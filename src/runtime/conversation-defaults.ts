import type { SettingDefaults } from "../settings/load-settings.ts";

/**
 * For hosts in which a user talks with Python or with an agent: MCP, pi, the console and the notebook view. A user who
 * reads an answer for an hour keeps the variables, and a fifth session does not end the first. Idle
 * kernels end when memory is short.
 */
export const conversationDefaults: SettingDefaults = { "python.idleMinutes": 24 * 60, "python.maxSessions": 32 };
