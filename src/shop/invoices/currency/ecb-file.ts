/**
 * Reads the file of reference rates of the European Central Bank. It accepts exactly the shape of this file and nothing
 * else of XML: no comments, entities or document types.
 */
import { isNationalCurrency, parseRate } from './national-tax.ts';
import { isDay } from './parse-rates.ts';

/** Why a fetch gave no rates. */
export const ECB_FAILURES = [
  'unreachable',
  'timeout',
  'status',
  'too-long',
  'format',
  'future-day',
  'outdated',
  'implausible-rate',
  'currency-missing',
] as const;
export type EcbFailure = (typeof ECB_FAILURES)[number];

export const isEcbFailure = (text: string | null): text is EcbFailure => ECB_FAILURES.some((one) => one === text);

export interface EcbDay {
  readonly day: string;
  /** Hundred-millionths of a currency for one euro: dollars and national currencies. */
  readonly rates: ReadonlyMap<string, bigint>;
}

export type EcbFile =
  | { readonly ok: true; readonly days: readonly EcbDay[] }
  | { readonly ok: false; readonly failure: EcbFailure };

/** Lowest and highest plausible units for one euro, in hundredths: about a third and the triple of those of 2026. */
const PLAUSIBLE: Readonly<Record<string, readonly [lowest: bigint, highest: bigint]>> = {
  USD: [40n, 350n],
  GBP: [30n, 260n],
  CHF: [30n, 280n],
  CZK: [800n, 7_500n],
  DKK: [250n, 2_200n],
  HUF: [12_000n, 120_000n],
  NOK: [350n, 3_500n],
  PLN: [140n, 1_300n],
  RON: [170n, 1_500n],
  SEK: [350n, 3_400n],
};
const HUNDREDTH_E8 = 1_000_000n;

/** Whether the European Central Bank publishes the rate of a currency, or it is the euro. */
export const isEcbCurrency = (currency: string): boolean =>
  currency === 'EUR' || (isNationalCurrency(currency) && PLAUSIBLE[currency] !== undefined);

const MAX_DAYS = 100;
const MAX_CURRENCIES = 100;

const HEAD =
  /\uFEFF?<\?xml version=["']1\.0["'] encoding=["']UTF-8["']\s?\?>\s*<gesmes:Envelope(?: xmlns(?::gesmes)?=["'][^"'<>&]{1,100}["']){2}\s?>\s*<gesmes:subject>[^<>&]{0,100}<\/gesmes:subject>\s*<gesmes:Sender>\s*<gesmes:name>[^<>&]{0,100}<\/gesmes:name>\s*<\/gesmes:Sender>\s*<Cube>\s*/y;
const DAY_START = /<Cube time=["'](\d{4}-\d\d-\d\d)["']\s?>\s*/y;
const RATE = /<Cube currency=["']([A-Z]{3})["'] rate=["'](\d{1,7}(?:\.\d{1,8})?)["']\s?\/>\s*/y;
const DAY_END = /<\/Cube>\s*/y;
const TAIL = /<\/Cube>\s*<\/gesmes:Envelope>\s*$/y;

/** Reads a text from its beginning, piece by piece. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The groups of a sticky expression at the present position; null if it does not match there. */
  take(expression: RegExp): readonly string[] | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text);
    if (match === null) return null;
    this.#at = expression.lastIndex;
    return match.slice(1);
  }
}

const refuse = (failure: EcbFailure) => ({ ok: false, failure }) as const;

function isPlausible(currency: string, rateE8: bigint): boolean {
  const bounds = PLAUSIBLE[currency];
  return bounds !== undefined && rateE8 >= bounds[0] * HUNDREDTH_E8 && rateE8 <= bounds[1] * HUNDREDTH_E8;
}

/** The rates of one day, up to its closing tag. Currencies without a use in the shop are left out. */
function readRates(reader: Reader): ReadonlyMap<string, bigint> | EcbFailure {
  const [rates, seen] = [new Map<string, bigint>(), new Set<string>()];
  for (let found = reader.take(RATE); found !== null; found = reader.take(RATE)) {
    const [currency = '', text = ''] = found;
    if (seen.has(currency) || seen.size === MAX_CURRENCIES) return 'format';
    seen.add(currency);
    if (PLAUSIBLE[currency] === undefined) continue;
    const rateE8 = parseRate(text);
    if (rateE8 === null || !isPlausible(currency, rateE8)) return 'implausible-rate';
    rates.set(currency, rateE8);
  }
  return reader.take(DAY_END) === null ? 'format' : rates;
}

/**
 * The days of a file, the newest first.
 * @param needed every day must have the rate of these currencies
 * @param today no day may be later
 */
export function readEcbFile(text: string, needed: readonly string[], today: string): EcbFile {
  const reader = new Reader(text);
  if (reader.take(HEAD) === null) return refuse('format');
  const days: EcbDay[] = [];
  for (let found = reader.take(DAY_START); found !== null; found = reader.take(DAY_START)) {
    const [day = ''] = found;
    const previous = days.at(-1)?.day;
    if (!isDay(day) || days.length === MAX_DAYS || (previous !== undefined && day >= previous)) return refuse('format');
    if (day > today) return refuse('future-day');
    const rates = readRates(reader);
    if (typeof rates === 'string') return refuse(rates);
    if (needed.some((currency) => !rates.has(currency))) return refuse('currency-missing');
    days.push({ day, rates });
  }
  return days.length > 0 && reader.take(TAIL) !== null ? { ok: true, days } : refuse('format');
}
