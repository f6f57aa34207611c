/** Sends a list of requests over a few connections and measures latency and CPU time of the server. */
import { connect } from 'node:net';
import { readCpuMs } from './process-figures.ts';

/** Shorter than Retry-After, so that waiting does not limit the measured rate. */
const SHED_PAUSE_MS = 100;
const HEAD_END = '\r\n\r\n';

export interface CallRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  /** Of the client, for a shop behind a proxy. */
  readonly address?: string;
  readonly body?: unknown;
}

export interface CallFigures {
  readonly perSecond: number;
  readonly medianMs: number;
  /** CPU time of the server for one request in ms. Null without /proc. */
  readonly cpuMs: number | null;
  /** In the order of the requests. */
  readonly bodies: readonly string[];
}

function formatRequest(port: number, { method, path, token, address, body }: CallRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const fields = [
    `host: 127.0.0.1:${port}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(address === undefined ? [] : [`x-forwarded-for: ${address}`]),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ];
  return `${method} ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${text}`;
}

/** The value of a header of the response. */
const readHeader = (head: string, name: string): string | undefined =>
  new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(head)?.[1];

/** Whether all of the response has arrived. Chunks of a page end with an empty one. */
function isComplete(head: string, body: string): boolean {
  if (readHeader(head, 'transfer-encoding') === 'chunked') return body.endsWith('0\r\n\r\n');
  return body.length >= Number(readHeader(head, 'content-length') ?? 0);
}

/**
 * Sends each request, each caller one after another, and again after 503.
 * @throws for a status other than 2xx and 503
 */
export async function sendCalls(
  { port, pid }: { readonly port: number; readonly pid: number },
  requests: readonly CallRequest[],
  callers = 8,
): Promise<CallFigures> {
  const bodies: string[] = Array.from({ length: requests.length }, () => '');
  const took: number[] = [];
  let next = 0;
  const send = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      let [index, sentAt, text] = [0, 0, ''];
      const sendNext = (): void => {
        index = next++;
        const request = requests[index];
        if (request === undefined) {
          socket.end();
          resolve();
          return;
        }
        sentAt = performance.now();
        write(request);
      };
      const write = (request: CallRequest): void => {
        text = '';
        socket.write(formatRequest(port, request));
      };
      socket.on('connect', sendNext);
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the server closed a connection')));
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        const end = text.indexOf(HEAD_END);
        if (end === -1) return;
        const [head, body] = [text.slice(0, end), text.slice(end + HEAD_END.length)];
        if (!isComplete(head, body)) return;
        const request = requests[index];
        // Shed: retries, as a client does. The wait counts.
        if (head.startsWith('HTTP/1.1 503 ') && request !== undefined) {
          setTimeout(write, SHED_PAUSE_MS, request);
          return;
        }
        if (!head.startsWith('HTTP/1.1 2')) {
          reject(new Error(`unexpected response: ${text.slice(0, 600)}`));
          return;
        }
        took.push(performance.now() - sentAt);
        bodies[index] = body;
        sendNext();
      });
    });
  const [cpuBefore, startedAt] = [readCpuMs(pid), performance.now()];
  await Promise.all(Array.from({ length: callers }, send));
  const [cpuAfter, seconds] = [readCpuMs(pid), (performance.now() - startedAt) / 1000];
  return {
    perSecond: requests.length / seconds,
    medianMs: took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0,
    cpuMs: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / requests.length,
    bodies,
  };
}
