/** One side of a conversation over the live channel; it reconnects like the page does. */
import { WebSocket } from 'ws';
import { addLoaded, addMessage, createConversation, markDisconnected } from '#src/shop/support/tickets/conversation.ts';
import type { IdentifiedMessage } from '#src/shop/support/tickets/conversation.ts';
import type { SeededRandom } from './seeded-random.ts';
import { listAt, textAt } from './read-json.ts';

/** Page size of loaded messages. */
export const PAGE = 200;

export class Follower {
  /** First arrival time of each message, live or loaded. */
  readonly arrivedAt = new Map<string, number>();
  /** Received messages of tickets that were not joined. */
  readonly foreign: string[] = [];
  /**
   * Messages received twice on one connection. The page would drop them, but the channel must not
   * send them.
   */
  duplicates = 0;
  /** Messages received out of order on one connection. */
  outOfOrder = 0;
  reconnects = -1;
  readonly #urls: readonly string[];
  readonly #token: string;
  readonly #ticketId: string;
  readonly #random: SeededRandom;
  #socket: WebSocket | null = null;
  #known = createConversation<IdentifiedMessage>([]);
  #isOver = false;

  constructor(urls: readonly string[], token: string, ticketId: string, random: SeededRandom) {
    [this.#urls, this.#token, this.#ticketId, this.#random] = [urls, token, ticketId, random];
    this.#connect();
  }

  /** The page's messages from top to bottom. */
  get shown(): readonly string[] {
    return this.#known.messages.map(({ id }) => id);
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Whether it is reconnected after the last cut and has loaded all missed messages. */
  get isSettled(): boolean {
    return this.isConnected && this.#known.isComplete;
  }

  cut(): void {
    this.#socket?.terminate();
  }

  end(): void {
    this.#isOver = true;
    this.cut();
  }

  #connect(): void {
    if (this.#isOver) return;
    this.reconnects += 1;
    this.#known = markDisconnected(this.#known);
    const url = this.#random.pick(this.#urls);
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/wss`);
    const received = new Set<string>();
    let last = '';
    this.#socket = socket;
    const send = (frame: unknown): void => socket.send(JSON.stringify(frame));
    socket.on('open', () => send({ type: 'authenticate', token: this.#token }));
    socket.on('message', (data: Buffer) => {
      const frame: unknown = JSON.parse(data.toString('utf8'));
      const type = textAt(frame, 'type');
      if (type === 'authenticated') send({ type: 'join_ticket', ticketId: this.#ticketId });
      else if (type === 'joined_ticket') void this.#loadMissed(url, socket);
      else if (type === 'new_message') {
        const id = textAt(frame, 'data', 'id');
        if (received.has(id)) this.duplicates += 1;
        else if (id < last) this.outOfOrder += 1;
        received.add(id);
        last = id;
        if (textAt(frame, 'data', 'ticket_id') !== this.#ticketId) this.foreign.push(id);
        else {
          this.#note(id);
          this.#known = addMessage(this.#known, { id }, 'channel');
        }
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => setTimeout(() => this.#connect(), this.#random.pickBelow(60)));
  }

  async #loadMissed(url: string, socket: WebSocket): Promise<void> {
    for (let isLast = false; !isLast;) {
      const after = this.#known.completeUpTo ?? this.#ticketId;
      const path = `/tickets/${this.#ticketId}/messages?limit=${PAGE}&after=${after}`;
      const rows = await callApi(url, 'GET', path, this.#token).catch(() => null);
      // The next connection loads the missed messages.
      if (this.#socket !== socket || socket.readyState !== WebSocket.OPEN) return;
      if (rows === null) return this.cut();
      const page = listAt(rows).map((row) => ({ id: textAt(row, 'id') }));
      isLast = page.length < PAGE;
      for (const { id } of page) this.#note(id);
      this.#known = addLoaded(this.#known, page, isLast);
    }
  }

  #note(id: string): void {
    if (!this.arrivedAt.has(id)) this.arrivedAt.set(id, performance.now());
  }
}

export async function callApi(
  url: string,
  method: string,
  path: string,
  token: string | null,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(json)}`);
  return json;
}
