/** Measures requests per second of a local server, and the CPU time of each. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCpuMs } from './process-figures.ts';

const WARM_UP_MS = 1_000;
/** Number of requests until V8 has optimized the server. */
const WARM_UP_REQUESTS = 600;
const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

export interface Load {
  readonly port: number;
  /** The process whose CPU time is measured. */
  readonly pid: number;
  /** The path of the n-th request. */
  readonly getPath: (index: number) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Concurrent connections; default 24. */
  readonly connections?: number;
}

export interface LoadFigures {
  readonly perSecond: number;
  /** CPU time of one request in ms. Null without /proc. */
  readonly cpuMs: number | null;
}

/** Sends requests on several connections, each after the previous response. @throws for another status */
export async function measureLoad(load: Load, seconds: number): Promise<LoadFigures> {
  const state = { index: 0, answered: 0, isOver: false };
  const clients = Array.from({ length: load.connections ?? 24 }, () => sendRepeatedly(load, state));
  const warm = async () => {
    for (await sleep(WARM_UP_MS); state.answered < WARM_UP_REQUESTS;) await sleep(50);
  };
  await Promise.race([warm(), ...clients]);
  const [before, cpuBefore, startedAt] = [state.answered, readCpuMs(load.pid), performance.now()];
  await Promise.race([sleep(seconds * 1000), ...clients]);
  const [requests, cpuAfter, tookMs] = [state.answered - before, readCpuMs(load.pid), performance.now() - startedAt];
  state.isOver = true;
  await Promise.all(clients);
  return {
    perSecond: (requests / tookMs) * 1000,
    cpuMs: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / requests,
  };
}

// Not node:http: its client would use more CPU time than the measured server.
function sendRepeatedly(
  { port, getPath, headers = {}, status = 200 }: Load,
  state: { index: number; answered: number; isOver: boolean },
): Promise<void> {
  const fields = Object.entries({ host: `127.0.0.1:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    const send = () => socket.write(`GET ${getPath(state.index++)} HTTP/1.1\r\n${fields}\r\n`);
    let head = '';
    let missing = -1;
    let isChunked = false;
    let tail = '';
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => (state.isOver ? resolve() : reject(new Error('the server closed a connection'))));
    socket.on('data', (chunk: Buffer) => {
      if (missing < 0) {
        head += chunk.toString('latin1');
        const end = head.indexOf(HEAD_END);
        if (end === -1) return;
        isChunked = /\r\ntransfer-encoding: chunked/i.test(head);
        const length = isChunked ? '1' : /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
        if (!head.startsWith(`HTTP/1.1 ${status} `) || length === undefined) {
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
      state.answered += 1;
      if (state.isOver) socket.end();
      else send();
    });
  });
}
