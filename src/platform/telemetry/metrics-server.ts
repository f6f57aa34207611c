/** Serves metrics and readiness on a port of their own, so that they never become public with the shop. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { ReadinessReport } from './health.ts';
import type { Log } from '#src/platform/process/log.ts';

const PATHS: ReadonlySet<string> = new Set(['/metrics', '/readyz']);
/** Pause before the port is tried again: its present owner may be a process that is about to stop. */
const RETRY_MS = 5_000;
const MAX_CONNECTIONS = 20;

export interface MetricsServerOptions {
  readonly host: string;
  readonly port: number;
  readonly metrics: { readonly contentType: string; read(): Promise<string> };
  readonly log: Log;
}

/**
 * Serves `/metrics`, and `/readyz` with the state of all parts. If the port cannot be opened, the
 * process continues without it, logs why, and tries again until it can.
 */
export class MetricsServer {
  readonly #options: MetricsServerOptions;
  readonly #server: Server;
  #timer: NodeJS.Timeout | undefined;
  #isReported = false;
  #isStopped = false;
  #reportReadiness: (() => Promise<ReadinessReport>) | null = null;

  constructor(options: MetricsServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#respond(request, response));
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.requestTimeout = 10_000;
    this.#server.headersTimeout = 5_000;
  }

  /** Resolves after the first attempt to open the port. */
  async start(reportReadiness: () => Promise<ReadinessReport>): Promise<void> {
    this.#reportReadiness = reportReadiness;
    const { host, log, port } = this.#options;
    try {
      this.#server.listen({ host, port });
      await once(this.#server, 'listening');
      log.info({ host, port }, 'metrics are served');
    } catch (error) {
      if (!this.#isReported) {
        this.#isReported = true;
        const reason = error instanceof Error && 'code' in error ? error.code : String(error);
        log.error(
          { host, port, reason },
          'METRICS_PORT could not be opened: the shop goes on without metrics and tries again. Each process on a machine needs a port of its own.',
        );
      }
      if (!this.#isStopped) this.#timer = setTimeout(() => void this.start(reportReadiness), RETRY_MS).unref();
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #respond({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = url.split('?', 1)[0] ?? '';
    const isKnown = PATHS.has(path);
    if (!isKnown || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(isKnown ? 405 : 404, isKnown ? { allow: 'GET, HEAD' } : {}).end();
      return;
    }
    try {
      const { status, type, text } = await (path === '/readyz' ? this.#describeReadiness() : this.#describeMetrics());
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(method === 'HEAD' ? undefined : text);
    } catch (error) {
      this.#options.log.warn({ err: error, path }, 'metrics or readiness could not be read');
      response.writeHead(500).end();
    }
  }

  async #describeMetrics(): Promise<Described> {
    const { metrics } = this.#options;
    return { status: 200, type: metrics.contentType, text: await metrics.read() };
  }

  async #describeReadiness(): Promise<Described> {
    const { status = 503, body = {} } = (await this.#reportReadiness?.()) ?? {};
    return { status, type: 'application/json; charset=utf-8', text: JSON.stringify(body) };
  }
}

interface Described {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}
