/** The live connection to the shop: one for the whole page, open while somebody listens and is signed in. */
import { readStored, TOKEN_KEY } from '#src/ui/browser-storage.ts';
import { createStore } from '#src/ui/store.ts';

/** What arrives, taken apart no further than its type. */
export interface LiveMessage {
  readonly type: string;
  readonly data: unknown;
}

const RECONNECT_MS = 1000;
const MAX_RECONNECT_MS = 30_000;
/** Bad token, and too many sockets: trying again would not help. */
const FINAL_CODES: ReadonlySet<number> = new Set([4401, 4429]);

const live = createStore<{ readonly isLive: boolean }>({ isLive: false });
/** Whether what changes arrives by itself at the moment; else it is to be asked for. */
export const useIsLive = (): boolean => live.use(({ isLive }) => isLive);

const listeners = new Set<(message: LiveMessage) => void>();
const watchers = new Set<(isLive: boolean) => void>();
let socket: WebSocket | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;
let reconnectDelayMs = RECONNECT_MS;

/** Hears everything that arrives from now on. Answers how to stop. */
export function subscribeToMessages(listener: (message: LiveMessage) => void): () => void {
  listeners.add(listener);
  connect();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) disconnect();
  };
}

/** Is told of every connection that begins and ends from now on. Answers how to stop. */
export function subscribeToConnection(watcher: (isLive: boolean) => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** Says something to the shop; false while there is no connection. */
export function sendLiveMessage(frame: unknown): boolean {
  if (!live.get().isLive) return false;
  socket?.send(JSON.stringify(frame));
  return true;
}

function setLive(isLive: boolean): void {
  live.update({ isLive });
  for (const watcher of watchers) watcher(isLive);
}

function connect(): void {
  const token = readStored(TOKEN_KEY);
  if (socket !== null || token === null || listeners.size === 0) return;
  clearTimeout(retry);
  const own = new WebSocket(new URL('/api/wss', window.location.href.replace(/^http/, 'ws')));
  socket = own;
  own.addEventListener('open', () => own.send(JSON.stringify({ type: 'authenticate', token })));
  own.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = socket === own ? parseMessage(data) : null;
    if (message?.type === 'authenticated') {
      reconnectDelayMs = RECONNECT_MS;
      setLive(true);
    } else if (message) {
      for (const listener of listeners) listener(message);
    }
  });
  own.addEventListener('close', ({ code }) => {
    if (socket !== own) return;
    socket = null;
    setLive(false);
    if (FINAL_CODES.has(code)) return;
    retry = setTimeout(connect, reconnectDelayMs);
    // Where there is no live connection at all, it is asked for ever more seldom.
    reconnectDelayMs = Math.min(2 * reconnectDelayMs, MAX_RECONNECT_MS);
  });
}

function disconnect(): void {
  clearTimeout(retry);
  socket?.close();
  socket = null;
  setLive(false);
}

function parseMessage(text: unknown): LiveMessage | null {
  try {
    const message: unknown = JSON.parse(String(text));
    if (typeof message !== 'object' || message === null || !('type' in message)) return null;
    return typeof message.type === 'string'
      ? { type: message.type, data: 'data' in message ? message.data : null }
      : null;
  } catch {
    return null;
  }
}
