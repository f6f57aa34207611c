/** A proxy between the shop and its chain source that injects faults. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Exchange {
  readonly path: string;
  readonly request: string;
  /** The response of the source. */
  readonly body: Buffer;
}

export type Fault =
  /** Refuses the connection. */
  | 'down'
  /** Accepts the connection and never responds. */
  | 'silent'
  /** The connection breaks within the response. */
  | 'truncated'
  | 'garbage'
  | 'busy'
  | 'failing'
  /** Another response instead of the correct one. */
  | ((exchange: Exchange) => Buffer | string | Promise<Buffer | string>);

export class FaultProxy {
  fault: Fault | null = null;
  /** Number of requests received. */
  requests = 0;
  /** Paths of the most concurrent requests. */
  maxConcurrent = 0;
  #underWay = 0;
  readonly #upstream: string;
  readonly #server = createServer((request, response) => {
    this.#respond(request, response).catch(() => response.destroy());
  });

  /** @param upstream URL of the source, without a slash at its end */
  constructor(upstream: string) {
    this.#upstream = upstream;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Breaks all connections; new ones are accepted. */
  hangUp(): void {
    this.fault = null;
    this.#server.closeAllConnections();
  }

  async #respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    this.#underWay += 1;
    this.maxConcurrent = Math.max(this.maxConcurrent, this.#underWay);
    response.once('close', () => (this.#underWay -= 1));
    const request = await text(incoming);
    const { fault } = this;
    if (fault === 'silent') return;
    if (fault === 'down') return void response.destroy();
    if (fault === 'garbage') return void response.end('<html>It works!</html>');
    if (fault === 'busy') return void response.writeHead(429, { 'retry-after': '1' }).end('Too Many Requests');
    if (fault === 'failing') return void response.writeHead(503).end('upstream error');

    const path = incoming.url ?? '/';
    const upstreamResponse = await fetch(`${this.#upstream}${path}`, {
      method: incoming.method ?? 'GET',
      headers: {
        'content-type': incoming.headers['content-type'] ?? 'text/plain',
        ...(incoming.headers.authorization === undefined ? {} : { authorization: incoming.headers.authorization }),
      },
      ...(request === '' ? {} : { body: request }),
    });
    const body = Buffer.from(await upstreamResponse.arrayBuffer());
    if (fault === 'truncated') {
      response.writeHead(upstreamResponse.status, { 'content-length': body.length + 10 });
      response.write(body.subarray(0, body.length / 2), () => response.destroy());
      return;
    }
    const sent = typeof fault === 'function' ? await fault({ path, request, body }) : body;
    response.writeHead(upstreamResponse.status).end(sent);
  }
}
