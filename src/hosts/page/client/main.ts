import { render } from "preact";
import { openAccess } from "./connection/token.ts";
import { html } from "./html.ts";
import { App } from "./views/app.ts";

await openAccess();
render(html`<${App} />`, document.body);
