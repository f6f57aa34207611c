/**
 * A hundred texts that would run if a page did not escape them; they set `hacked` on the window.
 */

const RUN = 'window.hacked=1';

const payloads: readonly string[] = [
  `<script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<body onload=${RUN}>`,
  `<details open ontoggle=${RUN}>x</details>`,
  `<input autofocus onfocus=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>`,
  `<iframe src="javascript:parent.hacked=1"></iframe>`,
  `<a href="javascript:${RUN}">x</a>`,
  `javascript:${RUN}`,
  `https://x.example/"onmouseover="${RUN}`,
  `<object data="javascript:${RUN}"></object>`,
  `<form action="javascript:${RUN}"><button autofocus>x</button></form>`,
  `<math><a xlink:href="javascript:${RUN}">x</a></math>`,
  `<base href="https://x.example/">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<style>@import "https://x.example/x.css"</style>`,
  `<link rel="stylesheet" href="https://x.example/x.css">`,
  `<x-fragment i="0"><script>${RUN}</script></x-fragment>`,
  `\${${RUN}}{{${RUN}}}<%=${RUN}%>`,
  `</title></textarea></style></script><script>${RUN}</script>`,
  `--><script>${RUN}</script><!--`,
  `\u2028</script><script>${RUN}</script>`,
];

/** Payloads that break out of an attribute or a script string, or are decoded twice. */
const wrappings: readonly ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `"'>${payload}`,
  (payload) => `\\';${payload}//`,
  (payload) => payload.replaceAll('<', '&lt;').replaceAll('>', '&#x3e;'),
];

export const injectionPayloads: readonly string[] = wrappings.flatMap((wrap) =>
  payloads.map((payload) => wrap(payload)),
);
