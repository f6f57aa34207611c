/// <reference types="node" />
import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import type { EntryContext, RouterContextProvider } from 'react-router';
import { ServerRouter } from 'react-router';
import { descriptionOf, jsonLdScripts } from './web/describe-page.ts';
import { firstPaintScript, LAYER_ORDER } from './web/first-paint.ts';
import { pageContext } from './web/page-context.ts';
import { isPrivatePath } from './web/private-paths.ts';
import { shareTags } from './web/share-tags.ts';

export { pageContext };

const FIRST_IN_HEAD = `<style>${LAYER_ORDER}</style><script>${firstPaintScript}</script>`;
const RENDER_TIMEOUT_MS = 10_000;

/** Renders a page to its end and answers it whole: its script hashes, ETag and length are known before it is sent. */
export default async function handleDocument(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const page = await render(request, routerContext);
  const { origin, pathname } = new URL(request.url);
  const isIndexed = status === 200 && !page.failed && !isPrivatePath(pathname);
  const { jsonLd = [], picture = null } = (isIndexed && descriptionOf(loadContext.get(pageContext))) || {};
  const tags = shareTags(page.html, { origin, path: pathname, isIndexed, picture });
  // These scripts come from the server only: one that React made in the browser would be refused by Trusted Types.
  const html = page.html
    .replace(/<head>(?:<meta charSet="utf-8"\/>)?/, (start) => start + FIRST_IN_HEAD)
    .replace('</head>', () => `${tags}${jsonLdScripts(jsonLd)}</head>`);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return new Response(html, { status: page.failed ? 500 : status, headers });
}

// renderToString would not do: the loaders' data arrives through a Suspense boundary, which it gives up on.
function render(request: Request, routerContext: EntryContext): Promise<{ html: string; failed: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let failed = false;
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        clearTimeout(timer);
        resolve({ html: Buffer.concat(chunks).toString('utf8'), failed });
        done();
      },
    });
    const { pipe, abort } = renderToPipeableStream(<ServerRouter context={routerContext} url={request.url} />, {
      // All of it is there before the first byte is sent, so nothing needs to be moved into place by a script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => pipe(sink),
      onShellError: (error) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
      onError: () => {
        failed = true;
      },
    });
    const timer = setTimeout(abort, RENDER_TIMEOUT_MS);
  });
}
