/** Sends requests at a fixed rate, independent of responses, as many independent visitors do. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const HEAD_END = '\r\n\r\n';
const TICK_MS = 4;
const GIVE_UP_MS = 30_000;

export interface Sent {
  /** Index of the request. */
  readonly index: number;
  readonly status: number;
  /** Latency since the scheduled time, so that waiting behind a slow request counts. */
  readonly ms: number;
}

interface Due {
  readonly index: number;
  readonly at: number;
}

interface Load {
  readonly port: number;
  /** Creates the n-th request, head and body. */
  readonly createRequest: (index: number) => string;
  /** Maximum connections. */
  readonly connections: number;
}

interface Caller {
  /** Connects before the first request, as a visitor's browser has. */
  readonly open: () => Promise<void>;
  /** Sends the next request unless one is in progress. */
  readonly wake: () => void;
  readonly close: () => void;
}

/** A client with one connection that sends the next request after each response. */
function openCaller(load: Load, next: () => Due | undefined, done: (sent: Sent) => void): Caller {
  let socket: Socket | null = null;
  let current: Due | null = null;
  let head = '';
  let missing = -1;
  const finish = (status: number): void => {
    if (current === null) return;
    done({ index: current.index, status, ms: performance.now() - current.at });
    current = null;
    head = '';
    missing = -1;
    wake();
  };
  const read = (chunk: Buffer): void => {
    if (missing < 0) {
      head += chunk.toString('latin1');
      const end = head.indexOf(HEAD_END);
      if (end === -1) return;
      missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - HEAD_END.length);
    } else missing -= chunk.length;
    if (missing <= 0) finish(Number(head.slice(9, 12)));
  };
  const getSocket = (): Socket => {
    if (socket !== null && !socket.destroyed) return socket;
    const opened = connect(load.port, '127.0.0.1').setNoDelay(true).on('data', read);
    // A closed connection counts as status 0.
    opened.on('error', () => {}).on('close', () => (socket === opened ? finish(0) : undefined));
    socket = opened;
    return opened;
  };
  const wake = (): void => {
    const due = current === null ? next() : undefined;
    if (!due) return;
    current = due;
    getSocket().write(load.createRequest(due.index));
  };
  const open = (): Promise<void> =>
    new Promise((resolve) => getSocket().once('connect', resolve).once('close', resolve));
  return { open, wake, close: () => socket?.destroy() };
}

/** @returns every request that was sent; status 0 if its connection was closed */
export async function sendAtRate(load: Load, perSecond: number, seconds: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  const waiting: Due[] = [];
  const total = Math.round(perSecond * seconds);
  const callers = Array.from({ length: load.connections }, () =>
    openCaller(
      load,
      () => waiting.shift(),
      (one) => sent.push(one),
    ),
  );
  for (const caller of callers) await caller.open();
  const startedAt = performance.now();
  for (let index = 0; index < total; await sleep(TICK_MS)) {
    for (; index < total && startedAt + (index / perSecond) * 1000 <= performance.now(); index += 1) {
      waiting.push({ index, at: startedAt + (index / perSecond) * 1000 });
    }
    for (const { wake } of callers) if (waiting.length > 0) wake();
  }
  for (const end = performance.now() + GIVE_UP_MS; sent.length < total && performance.now() < end;) await sleep(20);
  for (const { close } of callers) close();
  return sent;
}

/** @returns successful requests per second of clients that send the next one after each response */
export async function measureCapacity(load: Load, seconds: number): Promise<number> {
  const sent: Sent[] = [];
  const end = performance.now() + seconds * 1000;
  let index = 0;
  const callers = Array.from({ length: load.connections }, () =>
    openCaller(
      load,
      () => (performance.now() < end ? { index: (index += 1), at: performance.now() } : undefined),
      (one) => sent.push(one),
    ),
  );
  for (const { wake } of callers) wake();
  await sleep(seconds * 1000);
  for (const { close } of callers) close();
  return sent.filter(({ status }) => status >= 200 && status < 300).length / seconds;
}
