import type { FastifyInstance } from 'fastify';
import type { Log } from '#src/platform/process/log.ts';

/**
 * Logs once that a request carries X-Forwarded-For while no proxy is trusted: behind a proxy all clients
 * would share one address and its limits.
 */
export function warnAboutIgnoredForwarding(server: FastifyInstance, log: Log, trustedProxies: number): void {
  if (trustedProxies > 0) return;
  let isLogged = false;
  server.addHook('onRequest', (request, _reply, done) => {
    if (!isLogged && request.headers['x-forwarded-for'] !== undefined) {
      isLogged = true;
      log.warn(
        { setting: 'TRUST_PROXY' },
        'A request carries X-Forwarded-For, which is ignored because TRUST_PROXY is 0. Behind a proxy, all clients would share one address and its rate limits: set TRUST_PROXY to the number of proxies.',
      );
    }
    done();
  });
}
