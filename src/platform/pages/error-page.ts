/** An error page without scripts or pictures, for refused requests. */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Refusal } from '#src/platform/http/call.ts';

const STYLE =
  ':root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}' +
  'body{max-width:34rem;margin:20vh auto;padding:0 1rem;text-align:center}a{color:inherit}';
const POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Sends a refusal as HTML, or as plain text to a request for page data. */
export function sendErrorPage(reply: FastifyReply, { status, message, retryAfterSeconds }: Refusal): FastifyReply {
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  void reply.code(status).header('cache-control', 'no-store');
  if (reply.request.url.split('?', 1)[0]?.endsWith('.data')) {
    return reply.type('text/plain; charset=utf-8').send(message);
  }
  const wait = retryAfterSeconds === undefined ? '' : `<p>Reload the page in ${formatSeconds(retryAfterSeconds)}.</p>`;
  return reply
    .header('content-security-policy', POLICY)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex">` +
        `<meta name="viewport" content="width=device-width"><title>Try again</title>` +
        `<style>${STYLE}</style></head><body><h1>Try again in a moment</h1><p>${escapeHtml(message)}</p>${wait}` +
        `<p><a href="/">Go to the home page</a></p></body></html>`,
    );
}

const formatSeconds = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`);
