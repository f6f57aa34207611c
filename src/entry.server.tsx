/// <reference types="node" />
import { renderToString } from 'react-dom/server';
import type { EntryContext, RouterContextProvider } from 'react-router';
import { ServerRouter } from 'react-router';
import { getDescription, renderJsonLd } from './storefront/page/describe-page.ts';
import { headScript, LAYER_ORDER } from './platform/pages/browser/head-script.ts';
import { renderWithFragments } from './platform/pages/browser/fragment-cache.tsx';
import { pageContext } from './storefront/page/page-context.ts';
import { isPrivatePath } from './storefront/session/private-paths.ts';
import { renderMetaTags } from './storefront/page/meta-tags.ts';

export { pageContext };

/** These scripts come from the server only: one that React made in the browser would be refused by Trusted Types. */
export const firstInHead = `<style>${LAYER_ORDER}</style><script>${headScript}</script>`;

/** What the loaders answered, rendered in one go: without the stream of its data nothing in a page waits. */
export function renderDocument(
  request: Request,
  status: number,
  context: EntryContext,
  loadContext: RouterContextProvider,
) {
  const page = renderWithFragments(() => renderToString(<ServerRouter context={context} url={request.url} />));
  const { origin, pathname } = new URL(request.url);
  const isIndexed = status === 200 && !isPrivatePath(pathname);
  const { jsonLd = [], picture = null } = (isIndexed && getDescription(loadContext.get(pageContext))) || {};
  const { matches, errors } = context.staticHandlerContext;
  const failedAt = errors ? matches.findIndex(({ route }) => errors[route.id] !== undefined) : -1;
  const tags = renderMetaTags(page.head, { origin, path: pathname, isIndexed, picture });
  return {
    // React writes no document type where it renders in one go.
    head: `<!DOCTYPE html>${page.head}${tags}${renderJsonLd(jsonLd)}`,
    body: page.body,
    routeIds: matches.map(({ route }) => route.id),
    shown: failedAt === -1 ? matches.length : failedAt + 1,
  };
}

/** React Router's own handler asks for it like this. */
export default async function handleDocument(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...context }: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const page = {
    ...renderDocument(request, status, context, loadContext),
    data: serverHandoffStream ? await readText(serverHandoffStream) : '',
    handoff: context.serverHandoffString ?? '{}',
  };
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return Object.assign(new Response(null, { status, headers }), { page });
}

async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  return text;
}
