/** A client of the live channel. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { textAt, valueAt } from './read-json.ts';
import { waitUntil } from './wait-until.ts';

export class LiveClient {
  readonly frames: unknown[] = [];
  readonly #socket: WebSocket;
  #closed: number | null = null;

  /** @param url the shop's, http. */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/wss`, { headers });
    this.#socket.on('message', (data: Buffer) => this.frames.push(JSON.parse(data.toString('utf8'))));
    this.#socket.on('close', (code) => (this.#closed = code));
    this.#socket.on('error', () => {});
  }

  async open(): Promise<this> {
    await once(this.#socket, 'open');
    return this;
  }

  send(frame: unknown): void {
    this.#socket.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame));
  }

  async signIn(token: string): Promise<this> {
    await this.open();
    this.send({ type: 'authenticate', token });
    await waitUntil(() => this.types.includes('authenticated') || this.#closed !== null);
    return this;
  }

  get types(): string[] {
    return this.frames.map((frame) => textAt(frame, 'type'));
  }

  /** The received payment updates of one order. */
  listPayments(orderId: string): unknown[] {
    return this.frames
      .filter((frame) => textAt(frame, 'type') === 'payment_update' && textAt(frame, 'data', 'orderId') === orderId)
      .map((frame) => valueAt(frame, 'data', 'payment'));
  }

  listStates(orderId: string): string[] {
    return this.listPayments(orderId).map((payment) => textAt(payment, 'state'));
  }

  /** Waits for the next frame and returns its arrival time by `performance.now()`. */
  async waitForFrame(): Promise<number> {
    await once(this.#socket, 'message');
    return performance.now();
  }

  /** Waits for the close and returns its code; 1006 without one. */
  async waitForClose(): Promise<number> {
    await waitUntil(() => this.#closed !== null);
    return this.#closed ?? 0;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Stops reading, like a client without network. */
  pause(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#socket.terminate();
  }
}
