import type { FastifyInstance } from 'fastify';

export interface Readiness {
  readonly isReady: boolean;
  /** State of each part. Reported only; `isReady` does not depend on it. */
  readonly parts: Readonly<Record<string, string | number | boolean | null>>;
}

/** A response of `/readyz`. */
export interface ReadinessReport {
  readonly status: 200 | 503;
  readonly body: Readonly<Record<string, unknown>>;
}

interface ReportOptions {
  readonly isDraining: () => boolean;
  /** Whether the report contains the state of the parts. */
  readonly showsParts: boolean;
}

/** While the process drains, it is not ready, so that load balancers send no more requests. */
export async function reportReadiness(
  readiness: () => Promise<Readiness>,
  { isDraining, showsParts }: ReportOptions,
): Promise<ReadinessReport> {
  if (isDraining()) return { status: 503, body: { status: 'draining' } };
  const { isReady, parts } = await readiness();
  return {
    status: isReady ? 200 : 503,
    body: { status: isReady ? 'ready' : 'not-ready', ...(showsParts && parts) },
  };
}

/**
 * `/healthz`: the process runs. `/readyz`: it can serve requests, even if the chain source is down. The state of the
 * parts is for operators: others see only whether it is ready.
 */
export function registerHealth(
  server: FastifyInstance,
  readiness: () => Promise<Readiness>,
  options: ReportOptions,
): void {
  server.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const { status, body } = await reportReadiness(readiness, options);
    return reply.code(status).header('cache-control', 'no-store').send(body);
  });
}
