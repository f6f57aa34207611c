/// <reference types="node" />
import { Transform } from 'node:stream';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import type { EntryContext, RouterContextProvider } from 'react-router';
import { ServerRouter } from 'react-router';
import { getDescription, getSite, renderJsonLd } from './storefront/page/describe-page.ts';
// oxlint-disable-next-line import/default -- the build gives the module this export: its code as a text
import headScript from './platform/pages/browser/prepare-page.ts?script';
// oxlint-disable-next-line import/default -- the build gives the module this export: its code as a text
import pressScript from './platform/pages/browser/replay-presses.ts?script';
import { renderWithFragments } from './platform/pages/browser/fragment-cache.tsx';
import { pageContext } from './storefront/page/page-context.ts';
import { isPrivatePath } from './storefront/session/private-paths.ts';
import { renderMetaTags } from './storefront/page/meta-tags.ts';

export { pageContext, pressScript };

const HTML = 'text/html; charset=utf-8';
const HEAD_END = '</head>';
/**
 * Order of the cascade layers. It precedes all style sheets: the first mention of a layer decides, and the bundler chooses
 * the order of the sheets.
 */
const LAYER_ORDER = '@layer tokens, base, layout, text, components;';
const CHARSET = '<meta charSet="utf-8"/>';

/**
 * Nothing is painted before the header is whole, since its parts move while it is being parsed. Chromium waits for the
 * start of this element only; other browsers ignore the link.
 */
const WAIT_FOR_HEADER = '<link rel="expect" href="#main" blocking="render"/>';

/** Written by the server only: Trusted Types would block a script that React creates in the browser. */
export const firstInHead = `<style>${LAYER_ORDER}</style><script>${headScript}</script>${WAIT_FOR_HEADER}`;

/** Renders loaded data in one synchronous pass. The caller writes the data behind the page. */
export function renderDocument(
  request: Request,
  status: number,
  context: EntryContext,
  loadContext: RouterContextProvider,
) {
  const page = renderWithFragments(() => renderToString(<ServerRouter context={context} url={request.url} />));
  const { matches, errors } = context.staticHandlerContext;
  const failedAt = errors ? matches.findIndex(({ route }) => errors[route.id] !== undefined) : -1;
  return {
    // renderToString writes no document type.
    head: `<!DOCTYPE html>${page.head}${renderCrawlerTags(page.head, request, status, loadContext)}`,
    body: page.body,
    routeIds: matches.map(({ route }) => route.id),
    shown: failedAt === -1 ? matches.length : failedAt + 1,
  };
}

function renderCrawlerTags(head: string, request: Request, status: number, loadContext: RouterContextProvider): string {
  const { origin, pathname } = new URL(request.url);
  const isIndexed = status === 200 && !isPrivatePath(pathname);
  const page = loadContext.get(pageContext);
  const { jsonLd = [], picture = null } = (isIndexed && getDescription(page)) || {};
  const site = getSite(page);
  return renderMetaTags(head, { origin, path: pathname, isIndexed, picture, site }) + renderJsonLd(jsonLd);
}

type HandleDocument = (
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: RouterContextProvider,
) => Promise<Response>;

/** For the page engine: the server finishes the page from its parts. */
const handleInParts: HandleDocument = async (
  request,
  status,
  headers,
  { serverHandoffStream, ...context },
  loadContext,
) => {
  const page = {
    ...renderDocument(request, status, context, loadContext),
    data: serverHandoffStream ? await readText(serverHandoffStream) : '',
    handoff: context.serverHandoffString ?? '{}',
  };
  headers.set('Content-Type', HTML);
  return Object.assign(new Response(null, { status, headers }), { page });
};

async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  return text;
}

/** Stock React Router, for PAGES=stock and for development. The nonce allows the scripts of this one response. */
const streamDocument: HandleDocument = (request, status, headers, context, loadContext) =>
  new Promise((resolve, reject) => {
    const nonce = crypto.randomUUID();
    let current = status;
    const { pipe } = renderToPipeableStream(<ServerRouter context={context} url={request.url} nonce={nonce} />, {
      nonce,
      onShellReady() {
        const first = firstInHead.replaceAll(/<(style|script)/g, `<$1 nonce="${nonce}"`);
        const body = insertIntoHead((head) => ({
          first,
          last: renderCrawlerTags(head, request, current, loadContext),
        }));
        headers.set('Content-Type', HTML);
        resolve(Object.assign(new Response(null, { status: current, headers }), { stream: body, nonce }));
        pipe(body);
      },
      onShellError: reject,
      onError: () => {
        current = 500;
      },
    });
  });

/** Adds text behind the charset and at the end of the head; the rest of the stream passes through. */
function insertIntoHead(createTexts: (head: string) => { readonly first: string; readonly last: string }): Transform {
  const decoder = new TextDecoder();
  let head: string | null = '';
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      if (head === null) return done(null, chunk);
      head += decoder.decode(chunk, { stream: true });
      const end = head.indexOf(HEAD_END);
      if (end === -1) return done();
      const { first, last } = createTexts(head.slice(0, end));
      const text = `${head.slice(0, end).replace(CHARSET, (charset) => charset + first)}${last}${head.slice(end)}`;
      head = null;
      return done(null, text);
    },
  });
}

export default import.meta.env.STOCK_PAGES ? streamDocument : handleInParts;
