/** Measures requests per second of a local server, and the CPU time of each. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCpuMs } from './process-figures.ts';

const WARM_UP_MS = 1_000;
/** Number of requests until V8 has optimized the server. */
const WARM_UP_REQUESTS = 600;
const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';
/** Shorter than Retry-After, so that waiting does not limit the measured rate. */
const SHED_PAUSE_MS = 100;

export interface Requests {
  readonly port: number;
  /** The path of the n-th request. */
  readonly getPath: (index: number) => string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's address of the n-th request, sent in X-Forwarded-For. */
  readonly getAddress?: (index: number) => string;
  readonly status?: number;
  /** Concurrent connections; default 24. */
  readonly connections?: number;
}

export interface Load extends Requests {
  /** The process whose CPU time is measured. */
  readonly pid: number;
}

export interface LoadFigures {
  readonly perSecond: number;
  /** CPU time of one request in ms. Null without /proc. */
  readonly cpuMs: number | null;
}

/** Requests after the warm-up, and what was read before and after them. */
export interface Counted<T> {
  readonly count: number;
  readonly seconds: number;
  /** How many responses were 503. */
  readonly shed: number;
  readonly before: T;
  readonly after: T;
}

interface Progress {
  index: number;
  answered: number;
  shed: number;
  isOver: boolean;
}

/**
 * Sends requests on several connections, each after the previous response, and again after 503.
 * @param read called when the measurement begins and ends, after the warm-up
 * @throws for another status
 */
export async function countRequests<T>(load: Requests, seconds: number, read: () => T): Promise<Counted<T>> {
  const state: Progress = { index: 0, answered: 0, shed: 0, isOver: false };
  const clients = Array.from({ length: load.connections ?? 24 }, () => sendRepeatedly(load, state));
  const warm = async () => {
    for (await sleep(WARM_UP_MS); state.answered < WARM_UP_REQUESTS;) await sleep(50);
  };
  await Promise.race([warm(), ...clients]);
  const [answered, shed, before, startedAt] = [state.answered, state.shed, read(), performance.now()];
  await Promise.race([sleep(seconds * 1000), ...clients]);
  const [count, after, tookMs] = [state.answered - answered, read(), performance.now() - startedAt];
  state.isOver = true;
  await Promise.all(clients);
  return { count, seconds: tookMs / 1000, shed: state.shed - shed, before, after };
}

/** As `countRequests`, with the CPU time of the server. */
export async function measureLoad(load: Load, seconds: number): Promise<LoadFigures> {
  const counted = await countRequests(load, seconds, () => readCpuMs(load.pid));
  const { count, before, after } = counted;
  return {
    perSecond: count / counted.seconds,
    cpuMs: before === null || after === null ? null : (after - before) / count,
  };
}

// Not node:http: its client would use more CPU time than the measured server.
function sendRepeatedly(
  { port, getPath, headers = {}, getAddress, status = 200 }: Requests,
  state: Progress,
): Promise<void> {
  const fields = Object.entries({ host: `127.0.0.1:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    const send = () => {
      const index = state.index++;
      const address = getAddress === undefined ? '' : `x-forwarded-for: ${getAddress(index)}\r\n`;
      return socket.write(`GET ${getPath(index)} HTTP/1.1\r\n${fields}${address}\r\n`);
    };
    let head = '';
    let missing = -1;
    let isShed = false;
    let isChunked = false;
    let tail = '';
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () =>
      state.isOver
        ? resolve()
        : reject(
            new Error(
              `port ${port} closed a connection after ${state.answered} responses, ${state.shed} of 503: ${head.slice(0, 600)}`,
            ),
          ),
    );
    socket.on('data', (chunk: Buffer) => {
      if (missing < 0) {
        head += chunk.toString('latin1');
        const end = head.indexOf(HEAD_END);
        if (end === -1) return;
        isChunked = /\r\ntransfer-encoding: chunked/i.test(head);
        const length = isChunked ? '1' : /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
        isShed = head.startsWith('HTTP/1.1 503 ');
        if ((!isShed && !head.startsWith(`HTTP/1.1 ${status} `)) || length === undefined) {
          reject(new Error(`unexpected response: ${head.slice(0, 300)}`));
          return;
        }
        missing = Number(length) - (head.length - end - HEAD_END.length);
      } else missing -= chunk.length;
      tail = (tail + chunk.subarray(-LAST_CHUNK.length).toString('latin1')).slice(-LAST_CHUNK.length);
      if (isChunked) missing = tail === LAST_CHUNK ? 0 : 1;
      if (missing > 0) return;
      head = '';
      missing = -1;
      if (isShed) state.shed += 1;
      else state.answered += 1;
      if (state.isOver) socket.end();
      else if (isShed) setTimeout(send, SHED_PAUSE_MS);
      else send();
    });
  });
}
