import { openDirectly, openInHub } from "./open-tools.ts";
import { describeTools } from "./tools-contract.ts";

describeTools("tools in the host's process", openDirectly);
describeTools("tools in the hub", openInHub);
