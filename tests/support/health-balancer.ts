/**
 * A load balancer as operators use it: HTTP, round robin over the processes whose /readyz responds with 200, connections
 * kept open. It never sends a request twice, so each one that a process drops is a failure for its client.
 */
import { Agent, createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CHECK_MS = 200;

export class HealthBalancer {
  readonly url: string;
  /** Responses by port, without those of health checks. */
  readonly served = new Map<number, number>();
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #timer: NodeJS.Timeout;
  #ports: readonly number[] = [];
  #healthy: readonly number[] = [];
  #next = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', (request, response) => this.#forward(request, response));
    this.#timer = setInterval(() => void this.#check(), CHECK_MS);
  }

  /** Listens on a free port. */
  static async open(): Promise<HealthBalancer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the address of a TCP server
    return new HealthBalancer(server, (server.address() as AddressInfo).port);
  }

  /** Ports that passed the last check. */
  get healthy(): readonly number[] {
    return this.#healthy;
  }

  setPorts(ports: readonly number[]): void {
    this.#ports = ports;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#agent.destroy();
  }

  async #check(): Promise<void> {
    const checks = this.#ports.map(async (port) => ((await isReady(port)) ? port : null));
    this.#healthy = (await Promise.all(checks)).filter((port) => port !== null);
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const port = this.#healthy[(this.#next += 1) % this.#healthy.length];
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
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
