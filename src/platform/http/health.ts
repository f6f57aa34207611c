import type { FastifyInstance } from 'fastify';

export interface Readiness {
  readonly isReady: boolean;
  /** State of each part. Reported only; `isReady` does not depend on it. */
  readonly parts: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * `/healthz`: the process runs. `/readyz`: it can serve requests, even if the chain source is down. While it drains, it
 * is not ready, so that load balancers send no more requests.
 */
export function registerHealth(
  server: FastifyInstance,
  readiness: () => Promise<Readiness>,
  isDraining: () => boolean,
): void {
  server.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    if (isDraining()) return reply.code(503).header('cache-control', 'no-store').send({ status: 'draining' });
    const { isReady, parts } = await readiness();
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'not-ready', ...parts });
  });
}
