// The contract as Bun's own test runner runs it; bun.long.test.ts starts it. The hub runs on Bun as well.
import { openDirectly, openInHub } from "./open-tools.ts";
import { describeTools } from "./tools-contract.ts";

describeTools("tools in the host's process, on Bun", openDirectly);
describeTools("tools in the hub, on Bun", openInHub);
