import type { SettingDefaults } from "../settings/load-settings.ts";

/**
 * For hosts in which a person talks with Python or with an agent: MCP, pi, the console and the notebook view. Somebody who
 * reads an answer for an hour keeps their variables, and a fifth session does not cost the first one its own. Idle
 * kernels go when memory is short.
 */
export const conversationDefaults: SettingDefaults = { "python.idleMinutes": 24 * 60, "python.maxSessions": 32 };
