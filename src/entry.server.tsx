import { renderToString } from 'react-dom/server';
import type { EntryContext, RouterContextProvider } from 'react-router';
import { ServerRouter } from 'react-router';
import { descriptionOf, jsonLdScripts } from './web/describe-page.ts';
import { firstPaintScript, LAYER_ORDER } from './web/first-paint.ts';
import { putTogether } from './web/kept.tsx';
import { pageContext } from './web/page-context.ts';
import { isPrivatePath } from './web/private-paths.ts';
import { shareTags } from './web/share-tags.ts';

export { pageContext };

/** These scripts come from the server only: one that React made in the browser would be refused by Trusted Types. */
export const firstInHead = `<style>${LAYER_ORDER}</style><script>${firstPaintScript}</script>`;

/** The page whole, with what it takes to start it in the browser; who sends it puts these together. */
export default async function handleDocument(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { serverHandoffStream, serverHandoffString = '{}', staticHandlerContext } = routerContext;
  // Without the stream of its data nothing in a page waits, and React renders it in one go; the data stands behind it.
  const { serverHandoffStream: _stream, ...context } = routerContext;
  const html = putTogether(() => renderToString(<ServerRouter context={context} url={request.url} />));
  const headEnd = html.indexOf('</head>');
  const head = html.slice(0, headEnd);
  const { origin, pathname } = new URL(request.url);
  const isIndexed = status === 200 && !isPrivatePath(pathname);
  const { jsonLd = [], picture = null } = (isIndexed && descriptionOf(loadContext.get(pageContext))) || {};
  const { matches, errors } = staticHandlerContext;
  const failedAt = errors ? matches.findIndex(({ route }) => errors[route.id] !== undefined) : -1;
  const page = {
    head: head + shareTags(head, { origin, path: pathname, isIndexed, picture }) + jsonLdScripts(jsonLd),
    body: html.slice(headEnd + '</head>'.length, html.lastIndexOf('</body>')),
    data: serverHandoffStream ? (await textOf(serverHandoffStream)).replaceAll('<', '\\u003c') : '',
    handoff: serverHandoffString,
    routeIds: matches.map(({ route }) => route.id),
    shown: failedAt === -1 ? matches.length : failedAt + 1,
  };
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return Object.assign(new Response(null, { status, headers }), { page });
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  return text;
}
