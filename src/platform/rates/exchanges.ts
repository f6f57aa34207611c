/** The exchanges that provide the dollar price of a bitcoin, and a parser for each. */
import { z } from 'zod';
import { parseCents } from './parse-cents.ts';

export interface Ticker {
  /** Bid and ask price of a bitcoin in cents. */
  readonly bidCents: bigint;
  readonly askCents: bigint;
  /** Time of the price according to the exchange. Null if it gives none. */
  readonly statedAt: Date | null;
}

export const exchangeNames = ['kraken', 'coinbase', 'bitstamp', 'gemini'] as const;
export type ExchangeName = (typeof exchangeNames)[number];

interface Exchange {
  readonly url: string;
  /** Parses a response body. Null if its format is unknown. */
  readonly read: (body: string) => Ticker | null;
}

// All exchanges send prices as strings. A number is refused: it may have lost precision as a float.
const price = z.string().transform((text, context) => {
  const cents = parseCents(text);
  if (cents === null) context.addIssue({ code: 'custom', message: 'no price' });
  return cents ?? z.NEVER;
});
const epochSeconds = z
  .string()
  .regex(/^\d{1,11}$/)
  .transform((text) => new Date(Number(text) * 1000));
const isoTime = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

function createReader(schema: z.ZodType<Ticker>): Exchange['read'] {
  return (body) => {
    let json: unknown;
    try {
      json = JSON.parse(body);
    } catch {
      return null;
    }
    return schema.safeParse(json).data ?? null;
  };
}

const krakenBest = z.tuple([price], z.unknown());

export const exchanges: Readonly<Record<ExchangeName, Exchange>> = {
  kraken: {
    url: 'https://api.kraken.com/0/public/Ticker?pair=XBTUSD',
    read: createReader(
      z
        .object({
          error: z.array(z.unknown()).max(0),
          result: z.object({ XXBTZUSD: z.object({ b: krakenBest, a: krakenBest }) }),
        })
        .transform(({ result: { XXBTZUSD: best } }) => ({
          bidCents: best.b[0],
          askCents: best.a[0],
          statedAt: null,
        })),
    ),
  },
  coinbase: {
    url: 'https://api.exchange.coinbase.com/products/BTC-USD/ticker',
    read: createReader(
      z
        .object({ bid: price, ask: price, time: isoTime })
        .transform(({ bid, ask, time }) => ({ bidCents: bid, askCents: ask, statedAt: time })),
    ),
  },
  bitstamp: {
    url: 'https://www.bitstamp.net/api/v2/ticker/btcusd/',
    read: createReader(
      z
        .object({ bid: price, ask: price, timestamp: epochSeconds })
        .transform(({ bid, ask, timestamp }) => ({ bidCents: bid, askCents: ask, statedAt: timestamp })),
    ),
  },
  gemini: {
    url: 'https://api.gemini.com/v1/pubticker/BTCUSD',
    read: createReader(
      z
        .object({ bid: price, ask: price })
        .transform(({ bid, ask }) => ({ bidCents: bid, askCents: ask, statedAt: null })),
    ),
  },
};

const isExchange = (name: string): name is ExchangeName => exchangeNames.some((known) => known === name);

export type RateUrls = ReadonlyMap<ExchangeName, string>;

/** Default URLs of the exchanges. */
export const defaultRateUrls: RateUrls = new Map(exchangeNames.map((name) => [name, exchanges[name].url]));

/**
 * Parses `kraken=https://… gemini=https://…`. Only these exchanges are used. Null if the text is invalid
 * or has fewer than two.
 */
export function parseRateUrls(text: string): RateUrls | null {
  const urls = new Map<ExchangeName, string>();
  for (const entry of text.split(/\s+/).filter((part) => part !== '')) {
    const [, name = '', url = ''] = /^([a-z]+)=(https?:\/\/\S+)$/.exec(entry) ?? [];
    if (!isExchange(name) || !URL.canParse(url) || urls.has(name)) return null;
    urls.set(name, url);
  }
  return urls.size >= 2 ? urls : null;
}
