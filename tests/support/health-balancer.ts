/**
 * A load balancer as operators use it: HTTP, round robin over the processes whose /readyz responds with 200, connections
 * kept open. It never sends a request twice, so each one that a process drops is a failure for its client. While no
 * process is ready, as on a machine that is busy with other work, a request waits, as in the proxy of docs/operating.md.
 */
import { Agent, createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Pause between two checks of a process. */
const CHECK_MS = 200;
const CHECK_TIMEOUT_MS = 2_000;
/** How long a request waits for a process. */
const TRY_MS = 10_000;
/** Half of the time for which the shop keeps a connection: it never closes one to which a request is on its way. */
const IDLE_MS = 5_000;

export class HealthBalancer {
  readonly url: string;
  /** Responses by port, without those of health checks. */
  readonly served = new Map<number, number>();
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  readonly #end = new AbortController();
  readonly #healthy = new Set<number>();
  #next = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', (request, response) => void this.#forward(request, response));
  }

  /** Listens on a free port. */
  static async open(): Promise<HealthBalancer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the address of a TCP server
    return new HealthBalancer(server, (server.address() as AddressInfo).port);
  }

  /** Ports that requests are sent to. */
  get healthy(): readonly number[] {
    return [...this.#healthy];
  }

  /** Checks these ports until the balancer closes. Called once. */
  watch(ports: readonly number[]): void {
    for (const port of ports) void this.#check(port);
  }

  async close(): Promise<void> {
    this.#end.abort();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#agent.destroy();
  }

  async #check(port: number): Promise<void> {
    while (!this.#end.signal.aborted) {
      if (await isReady(port)) this.#healthy.add(port);
      else this.#healthy.delete(port);
      await sleep(CHECK_MS);
    }
  }

  /** The port whose turn it is; undefined if no process became ready in time. */
  async #pick(): Promise<number | undefined> {
    for (const end = performance.now() + TRY_MS; this.#healthy.size === 0 && performance.now() < end;) {
      await sleep(CHECK_MS);
    }
    return this.healthy[(this.#next += 1) % this.#healthy.size];
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const port = await this.#pick();
    const fail = (reason: string): void => {
      if (!response.headersSent) response.writeHead(502);
      response.end(`port ${port}: ${reason}`);
    };
    if (port === undefined) return fail('no process is ready');
    const { method, url, headers } = request;
    const sent = sendRequest({ port, method, path: url, headers, agent: this.#agent }, (received) => {
      const { connection: _ownConnection, 'keep-alive': _ownTime, ...passed } = received.headers;
      this.served.set(port, (this.served.get(port) ?? 0) + 1);
      response.writeHead(received.statusCode ?? 502, passed);
      received.on('error', () => response.destroy());
      received.pipe(response);
    });
    sent.on('error', (error) => fail(error.message));
    request.pipe(sent);
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
