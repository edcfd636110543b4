import { beforeAll } from "vitest";
import { createGatewayBackend } from "../../../src/kernel/gateway/gateway-backend.ts";
import { describeIpykernel } from "../jupyter/describe-ipykernel.ts";
import { packagesOfMain } from "../kernel-contract.ts";
import { describeWithJupyter } from "./jupyter-python.ts";
import { JupyterServer } from "./jupyter-server.ts";
import { serverGaps } from "./server-gaps.ts";

describeWithJupyter("somewhere else", (python) => {
  let server: JupyterServer;
  beforeAll(async () => {
    server = await JupyterServer.start(python, { limits: false });
  });

  describeIpykernel("jupyter_server 2", {
    python,
    packages: packagesOfMain,
    start: (choices) =>
      createGatewayBackend({ home: "/nowhere", external: { url: server.url, token: server.token } }).start({
        interpreter: "",
        cwd: "/",
        env: {},
        ...choices,
      }),
    known: serverGaps,
    close: () => server.close(),
  });
});
