import type { FastifyInstance } from 'fastify';

export interface WebManifest {
  readonly name: string;
  readonly description: string;
}

const CACHE_CONTROL = 'public, max-age=3600';
const BACKGROUND = '#ffffff';
const PNG = { type: 'image/png' } as const;

/** Serves the web app manifest, with which a phone adds the site to its home screen. */
export function registerWebManifest(server: FastifyInstance, { name, description }: WebManifest): void {
  const manifest = JSON.stringify({
    id: '/',
    name,
    short_name: name,
    description,
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: BACKGROUND,
    theme_color: BACKGROUND,
    categories: ['shopping'],
    icons: [
      { src: '/icon-192.png', sizes: '192x192', ...PNG },
      { src: '/icon-512.png', sizes: '512x512', ...PNG },
      { src: '/icon-maskable-512.png', sizes: '512x512', ...PNG, purpose: 'maskable' },
    ],
  });
  server.get('/manifest.webmanifest', (_request, reply) =>
    reply.header('cache-control', CACHE_CONTROL).type('application/manifest+json; charset=utf-8').send(manifest),
  );
}
