/** Raw HTTP requests and responses, without headers or corrections added by a client. */
import { Agent, request } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders } from 'node:http';

export interface RawRequest {
  readonly method: string;
  /** Request target, sent unchanged. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const GIVE_UP_MS = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
/** For concurrent requests, as of many clients: each has its own connection, which the shop can't close as an idle one. */
const manyAtOnce = new Agent({ keepAlive: false, maxSockets: 1_000 });

/** Whether the shop closed an idle connection just when it was used again. */
const wasIdle = (sent: ClientRequest, error: Error): boolean =>
  sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET';

/** @param atOnce number of concurrent requests, which the shared agent limits to sixteen */
export function sendRawRequest(url: string, rawRequest: RawRequest, atOnce = 1): Promise<RawResponse> {
  const { method, path, headers = {}, body } = rawRequest;
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    // Node omits the length of a DELETE, and the body would be read as the next request.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { hostname, port, method, path, headers: { ...length, ...headers }, timeout: GIVE_UP_MS };
    const sent = request({ ...options, agent: atOnce > 16 ? manyAtOnce : agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', (error) => {
      if (method === 'GET' && wasIdle(sent, error)) resolve(sendRawRequest(url, rawRequest, atOnce));
      else reject(error);
    });
    sent.on('timeout', () =>
      sent.destroy(new Error(`${method} ${path} got no response within ${GIVE_UP_MS / 1000} s`)),
    );
    sent.end(body);
  });
}

/** JSON with a bearer token, as the pages send it. */
export function createJsonRequest(method: string, path: string, body?: unknown, token?: string): RawRequest {
  return {
    method,
    path: `/api${path}`,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}
