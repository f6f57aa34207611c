/** Serves robots.txt and a sitemap of all public pages. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Refusal } from './call.ts';
import { sendErrorPage } from '#src/platform/pages/error-page.ts';

/** Maximum of the sitemap protocol. */
const MAX_URLS = 50_000;
const CACHE_CONTROL = 'public, max-age=3600';

export interface SitemapUrl {
  readonly path: string;
  /** Last known change of the page. */
  readonly changedAt: Date;
}

export interface CrawlerFilesOptions {
  readonly origin: string;
  /** Path prefixes that must not be indexed. */
  readonly disallowed: readonly string[];
  readonly allowed: readonly string[];
  /** All pages, in a stable order. */
  readonly listPages: () => readonly SitemapUrl[];
  /** Limits how often a client gets a sitemap, since writing one uses much CPU time. */
  readonly checkLimit?: (ip: string) => Promise<Refusal | null>;
  /** For tests. */
  readonly maxUrls?: number;
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

function* generateUrlSet(origin: string, pages: readonly SitemapUrl[]): Generator<string> {
  yield `${HEAD}<urlset ${NAMESPACE}>\n`;
  for (const { path, changedAt } of pages) {
    yield `<url><loc>${escapeXml(origin + path)}</loc><lastmod>${changedAt.toISOString()}</lastmod></url>\n`;
  }
  yield '</urlset>\n';
}

function* generateSitemapIndex(origin: string, parts: readonly (readonly SitemapUrl[])[]): Generator<string> {
  yield `${HEAD}<sitemapindex ${NAMESPACE}>\n`;
  for (const [index, pages] of parts.entries()) {
    const newest = new Date(Math.max(...pages.map(({ changedAt }) => changedAt.getTime())));
    yield (
      `<sitemap><loc>${escapeXml(`${origin}/sitemap-${index + 1}.xml`)}</loc>` +
        `<lastmod>${newest.toISOString()}</lastmod></sitemap>\n`
    );
  }
  yield '</sitemapindex>\n';
}

function splitIntoChunks<One>(list: readonly One[], length: number): (readonly One[])[] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, index) =>
    list.slice(index * length, (index + 1) * length),
  );
}

export function registerCrawlerFiles(server: FastifyInstance, options: CrawlerFilesOptions): void {
  const { origin, listPages, maxUrls = MAX_URLS, checkLimit = () => Promise.resolve(null) } = options;
  const robots = [
    'User-agent: *',
    ...options.allowed.map((path) => `Allow: ${path}`),
    ...options.disallowed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');
  server.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', CACHE_CONTROL).type('text/plain').send(robots),
  );

  server.get('/sitemap.xml', async (request, reply) => {
    const refusal = await checkLimit(request.ip);
    if (refusal) return sendErrorPage(reply, refusal);
    const all = listPages();
    const lines =
      all.length <= maxUrls ? generateUrlSet(origin, all) : generateSitemapIndex(origin, splitIntoChunks(all, maxUrls));
    return reply.header('cache-control', CACHE_CONTROL).type('application/xml').send(Readable.from(lines));
  });
  server.get<{ Params: { part: string } }>('/sitemap-:part.xml', async (request, reply) => {
    const refusal = await checkLimit(request.ip);
    if (refusal) return sendErrorPage(reply, refusal);
    const part = splitIntoChunks(listPages(), maxUrls)[Number(request.params.part) - 1];
    if (!part || !/^\d{1,5}$/.test(request.params.part)) {
      reply.callNotFound();
      return reply;
    }
    return reply
      .header('cache-control', CACHE_CONTROL)
      .type('application/xml')
      .send(Readable.from(generateUrlSet(origin, part)));
  });
}
