/** Local exchange servers whose responses a test sets. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { exchangeNames } from '#src/platform/rates/exchanges.ts';

/** A valid response of each exchange, at a price in whole dollars and cents. */
function createResponse(name: string, price: string, time: Date): string {
  if (name === 'kraken')
    return JSON.stringify({ error: [], result: { XXBTZUSD: { a: [price, '1'], b: [price, '1'] } } });
  const best = { bid: price, ask: price };
  if (name === 'coinbase') return JSON.stringify({ ...best, time: time.toISOString() });
  if (name === 'bitstamp') return JSON.stringify({ ...best, timestamp: String(Math.trunc(time.getTime() / 1000)) });
  return JSON.stringify(best);
}

export type Behaviour = (response: ServerResponse, name: string) => void;

export class FakeExchanges {
  /** Behaviours by exchange name, the last part of the URL. */
  readonly behaviours = new Map<string, Behaviour>();
  /** Names of the exchanges that were queried. */
  queried: string[] = [];
  /** Time in the responses. */
  nowMs = Date.now();
  origin = '';

  readonly #server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    this.queried.push(name);
    this.behaviours.get(name)?.(response, name);
  });

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    assert.ok(address !== null && typeof address === 'object');
    this.origin = `http://127.0.0.1:${address.port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  getUrls() {
    return new Map(exchangeNames.map((name) => [name, `${this.origin}/${name}`]));
  }

  /** Responds with this price in dollars, in the format of the exchange. */
  respondWithPrice(price: string): Behaviour {
    return (response, name) => response.end(createResponse(name, price, new Date(this.nowMs)));
  }

  /** Timeout in ms: long for responses, so a slow machine passes; short for stalls. */
  getTimeoutMs(url: string): number {
    const behaviour = this.behaviours.get(new URL(url).pathname.slice(1));
    return behaviour !== undefined && stalling.has(behaviour) ? 300 : 30_000;
  }

  /**
   * Sets the behaviours in the order kraken, coinbase, bitstamp, gemini. One behaviour applies to
   * all.
   */
  setBehaviour(...behaviours: readonly Behaviour[]): void {
    for (const [at, name] of exchangeNames.entries()) {
      this.behaviours.set(name, behaviours[at % behaviours.length] ?? respondNever);
    }
  }
}

export const respondNever: Behaviour = () => {};
const stallMidway: Behaviour = (response) => response.write('{"bid":"67000"');
const trickle: Behaviour = (response) => {
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};
const stalling: ReadonlySet<Behaviour> = new Set([respondNever, stallMidway, trickle]);

/** Fifty megabytes of zeros in fifty compressed kilobytes. */
const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));

/** Invalid responses. */
export const faults: Readonly<Record<string, Behaviour>> = {
  'never responds': respondNever,
  'stalls in the middle of a response': stallMidway,
  'sends blanks without end': trickle,
  'sends an endless body': (response) => {
    const chunk = Buffer.alloc(65_536, ' ');
    const writeMore = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', writeMore);
    writeMore();
  },
  'sends an oversized compressed body': (response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(bomb);
  },
  'redirects to a wrong server': (response) => {
    response.writeHead(302, { location: '/wrong' });
    response.end();
  },
  'redirects in a loop': (response, name) => {
    response.writeHead(307, { location: `/${name}` });
    response.end(createResponse(name, '1.00', new Date()));
  },
  'responds 500 with a price': (response, name) => {
    response.statusCode = 500;
    response.end(createResponse(name, '1.00', new Date()));
  },
  'responds 204': (response) => {
    response.statusCode = 204;
    response.end();
  },
  'closes the connection': (response) => response.destroy(),
  'closes the connection in the middle': (response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{', () => response.destroy());
  },
  'responds with HTML': (response) => response.end('<html>Just a moment…</html>'),
  'responds with invalid UTF-8': (response) => response.end(Buffer.from([0xff, 0xfe, 0x7b])),
  'responds with numbers': (response) => response.end('{"bid":67000.1,"ask":67000.2,"time":1,"timestamp":1}'),
  'responds with an old price': (response, name) =>
    response.end(name === 'coinbase' || name === 'bitstamp' ? createResponse(name, '60000', new Date(0)) : '{}'),
};
