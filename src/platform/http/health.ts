import type { FastifyInstance } from 'fastify';

export interface Readiness {
  readonly isReady: boolean;
  /** What each part says of itself; told, not decided upon. */
  readonly parts: Readonly<Record<string, string | number | boolean | null>>;
}

/** `/healthz`: the process answers. `/readyz`: it can serve; a chain source that is down does not make it unready. */
export function registerHealth(server: FastifyInstance, readiness: () => Promise<Readiness>): void {
  server.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const { isReady, parts } = await readiness();
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'not-ready', ...parts });
  });
}
