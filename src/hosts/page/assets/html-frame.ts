import type { Route } from "../../../support/http/route.ts";

/**
 * The document in which HTML of cells is shown. It has no origin, so that it cannot reach the page, its storage or its
 * routes; scripts run, and can load and send nothing.
 */
export const frameRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/page/frame",
    isOpen: true,
    handle: () => ({ status: 200, headers: frameHeaders, content: shell }),
  },
];

const frameHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-cache",
  "X-Frame-Options": "SAMEORIGIN",
  // No content policy covers WebRTC, nor connections that are made ahead for a link.
  "Connection-Allowlist": "()",
  "Content-Security-Policy": [
    "sandbox allow-scripts",
    "default-src 'none'",
    "script-src 'unsafe-inline' 'unsafe-eval'",
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "media-src data: blob:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; "),
};

/** Takes the HTML from the page, once, and reports its height, which the page bounds. */
const shell = `<!doctype html>
<meta charset="utf-8">
<title>Output</title>
<script>
addEventListener("message", ({ source, data }) => {
  if (source !== parent || typeof data?.html !== "string") return;
  const tell = () => parent.postMessage({ height: document.documentElement.scrollHeight }, "*");
  document.open();
  document.write("<!doctype html><meta charset=utf-8><style>html{overflow:auto}body{margin:8px;font:14px/1.5 system-ui,sans-serif;color:#22201c;background:#fff}table{border-collapse:collapse}td,th{padding:2px 8px}</style>" + data.html);
  document.close();
  new ResizeObserver(tell).observe(document.documentElement);
  addEventListener("load", tell);
  tell();
});
</script>
`;
