import type { FastifyInstance } from 'fastify';

interface Icon {
  readonly src: string;
  readonly sizes: string;
  readonly type?: string;
  readonly purpose?: string;
}

export interface WebManifest {
  readonly name: string;
  readonly description: string;
  readonly icons: readonly Icon[];
}

const BACKGROUND = '#ffffff';

/** Serves the web app manifest, with which a phone adds the site to its home screen. */
export function registerWebManifest(server: FastifyInstance, read: () => WebManifest): void {
  server.get('/manifest.webmanifest', (_request, reply) => {
    const { name, description, icons } = read();
    const manifest = {
      id: '/',
      name,
      short_name: name,
      ...(description === '' ? {} : { description }),
      lang: 'en',
      start_url: '/',
      scope: '/',
      display: 'minimal-ui',
      background_color: BACKGROUND,
      theme_color: BACKGROUND,
      categories: ['shopping'],
      icons,
    };
    // The name can change at any time.
    return reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(manifest));
  });
}
