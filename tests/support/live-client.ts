/** The other end of the live channel. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { textAt, valueAt } from './read-json.ts';
import { until } from './until.ts';

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
    await until(() => this.types.includes('authenticated') || this.#closed !== null);
    return this;
  }

  get types(): string[] {
    return this.frames.map((frame) => textAt(frame, 'type'));
  }

  /** The payments that it was told of, of one order. */
  paymentsOf(orderId: string): unknown[] {
    return this.frames
      .filter((frame) => textAt(frame, 'type') === 'payment_update' && textAt(frame, 'data', 'orderId') === orderId)
      .map((frame) => valueAt(frame, 'data', 'payment'));
  }

  statesOf(orderId: string): string[] {
    return this.paymentsOf(orderId).map((payment) => textAt(payment, 'state'));
  }

  /** When the next frame comes, by `performance.now()`. */
  async next(): Promise<number> {
    await once(this.#socket, 'message');
    return performance.now();
  }

  /** With which code it was closed; 1006 without one. */
  async closed(): Promise<number> {
    await until(() => this.#closed !== null);
    return this.#closed ?? 0;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Reads nothing more, as one whose train is in a tunnel. */
  pause(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#socket.terminate();
  }
}
