/** A receiver of webhooks on this machine. It verifies each signature with the library. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { textAt, valueAt } from './read-json.ts';

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Answers a request after it was read; by default 200. */
export type Behaviour = (received: ReceivedEvent, response: ServerResponse) => void;

const accept: Behaviour = (_received, response) => void response.end('ok');

export class WebhookReceiver {
  readonly #server = createServer((request, response) => void this.#receive(request, response));
  /** In the order of their arrival, repeated ones included. */
  readonly received: ReceivedEvent[] = [];
  readonly #accepted = new Set<ReceivedEvent>();
  behaviour: Behaviour = accept;
  /** Verifies signatures once it is set. */
  secret: string | null = null;
  invalid = 0;

  static async open(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => {
      receiver.#server.listen(0, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get url(): string {
    const address = this.#server.address();
    assert.ok(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}/hook`;
  }

  /** Those that got a 2xx, in the order of their arrival. */
  get accepted(): readonly ReceivedEvent[] {
    return this.received.filter((event) => this.#accepted.has(event));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request).catch(() => null);
    if (text === null) return;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    if (this.secret !== null) {
      try {
        new Webhook(this.secret).verify(text, headers);
      } catch {
        this.invalid += 1;
      }
    }
    const body: unknown = JSON.parse(text);
    const event = { id: headers['webhook-id'] ?? '', type: textAt(body, 'type'), body, headers, text };
    assert.equal(valueAt(body, 'id'), event.id);
    this.received.push(event);
    const note = (): void => {
      if (response.headersSent && response.statusCode < 300) this.#accepted.add(event);
    };
    response.on('finish', note);
    response.on('error', () => {});
    this.behaviour(event, response);
    // A body that never ends does not matter.
    note();
  }
}
