/** Rates by day as staff type or paste them, or as a CSV has them. */
import { parseRate } from './national-tax.ts';

export const MAX_RATES = 400;

export interface TypedRate {
  readonly day: string;
  readonly rate: string;
}

export type ParsedRates =
  | { readonly ok: true; readonly rates: readonly TypedRate[] }
  | { readonly ok: false; readonly problem: string };

/** Whether a text is a day of the calendar: `2026-02-28`. */
export function isDay(text: string): boolean {
  const time = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** One rate per line: day and rate, separated by a comma, a semicolon, a tab or spaces. A line of names is left out. */
export function parseRates(text: string): ParsedRates {
  const lines = text.split(/\r\n|\r|\n/);
  const rates: TypedRate[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [day = '', rate = '', ...more] = line.trim().split(/[;,\t ]+/);
    if (index === 0 && day.toLowerCase() === 'day') continue;
    const refuse = (problem: string): ParsedRates => ({ ok: false, problem: `Line ${index + 1}: ${problem}.` });
    if (!isDay(day)) return refuse('Begin with a day such as 2026-11-27');
    if (more.length > 0 || parseRate(rate) === null)
      return refuse('Enter one rate above 0 after the day, such as 0.8601');
    if (rates.some((one) => one.day === day)) return refuse(`${day} is there twice`);
    if (rates.length === MAX_RATES) return refuse(`Enter at most ${MAX_RATES} rates at once`);
    rates.push({ day, rate });
  }
  return rates.length === 0 ? { ok: false, problem: 'Enter at least one day with its rate.' } : { ok: true, rates };
}
