import type { FastifyInstance } from 'fastify';

export interface Readiness {
  readonly isReady: boolean;
  /** State of each part. Reported only; `isReady` does not depend on it. */
  readonly parts: Readonly<Record<string, string | number | boolean | null>>;
}

export const describeStatus = (isReady: boolean): string => (isReady ? 'ready' : 'not-ready');

/**
 * `/healthz`: the process runs. `/readyz`: it can serve requests, even if the chain source is down. While it drains, it
 * is not ready, so that load balancers send no more requests.
 * @param showsParts whether the response contains the state of the parts, which is for operators
 */
export function registerHealth(
  server: FastifyInstance,
  readiness: () => Promise<Readiness>,
  { isDraining, showsParts }: { readonly isDraining: () => boolean; readonly showsParts: boolean },
): void {
  server.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    if (isDraining()) return reply.code(503).header('cache-control', 'no-store').send({ status: 'draining' });
    const { isReady, parts } = await readiness();
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: describeStatus(isReady), ...(showsParts && parts) });
  });
}
