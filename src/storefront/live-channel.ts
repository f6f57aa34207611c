/** The page's one WebSocket to the shop, open while the visitor is signed in and there is a listener. */
import { readStored, TOKEN_KEY } from '#src/ui/browser/browser-storage.ts';
import { createStore } from '#src/ui/react/store.ts';

/** A received message; its data is not validated here. */
export interface LiveMessage {
  readonly type: string;
  readonly data: unknown;
}

const RECONNECT_MS = 1000;
const MAX_RECONNECT_MS = 30_000;
/** Invalid token and too many sockets: reconnecting would fail again. */
const FINAL_CODES: ReadonlySet<number> = new Set([4401, 4429]);

const live = createStore<{ readonly isLive: boolean }>({ isLive: false });
/** Whether live messages arrive now; if not, callers poll. */
export const useIsLive = (): boolean => live.use(({ isLive }) => isLive);

const listeners = new Set<(message: LiveMessage) => void>();
const watchers = new Set<(isLive: boolean) => void>();
let socket: WebSocket | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;
let reconnectDelayMs = RECONNECT_MS;

/** @returns the unsubscribe function */
export function subscribeToMessages(listener: (message: LiveMessage) => void): () => void {
  listeners.add(listener);
  connect();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) disconnect();
  };
}

/** Calls the watcher when a connection opens and closes. @returns the unsubscribe function */
export function subscribeToConnection(watcher: (isLive: boolean) => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** @returns false if there is no connection */
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
  const opened = new WebSocket(new URL('/api/wss', window.location.href.replace(/^http/, 'ws')));
  socket = opened;
  opened.addEventListener('open', () => opened.send(JSON.stringify({ type: 'authenticate', token })));
  opened.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = socket === opened ? parseMessage(data) : null;
    if (message?.type === 'authenticated') {
      reconnectDelayMs = RECONNECT_MS;
      setLive(true);
    } else if (message) {
      for (const listener of listeners) listener(message);
    }
  });
  opened.addEventListener('close', ({ code }) => {
    if (socket !== opened) return;
    socket = null;
    setLive(false);
    if (FINAL_CODES.has(code)) return;
    retry = setTimeout(connect, reconnectDelayMs);
    // Exponential backoff.
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
