/**
 * What every contract is made of: the codecs between the wire (JSON) and the shop (bigint money, Date). Decoding
 * validates what comes in; encoding spells out what goes out, field by field.
 */
import { z } from 'zod';
import { cents, sats, SATS_PER_BTC } from './money.ts';
import type { Cents, Sats } from './money.ts';

export type { Contract, WireRequest, WireResponse } from '#src/platform/http/endpoint.ts';

// PostgreSQL text refuses NUL, and half a surrogate pair is no text at all.
const isCleanText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** Text of the outside world: bounded, without NUL or lone surrogates. Not trimmed. */
export const text = (maximum: number) =>
  z.string().max(maximum).refine(isCleanText, { message: 'contains characters that are not allowed' });

/** Text that says something: trimmed, at least one character left. */
export const filledText = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .refine(isCleanText, { message: 'contains characters that are not allowed' })
    .trim()
    .min(1, { message: 'is required' });

export const id = z.uuid();
export const slug = z
  .string()
  .max(120)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);

const btcUpTo = (maximum: number) =>
  z.codec(
    z.number().nonnegative().max(maximum),
    z.custom<Sats>((value) => typeof value === 'bigint'),
    {
      decode: (amount) => sats(BigInt(Math.round(amount * Number(SATS_PER_BTC)))),
      // One division of integers below 2^53: correctly rounded, so it prints with no more than eight decimals.
      encode: (amount) => Number(amount) / Number(SATS_PER_BTC),
    },
  );

/**
 * Satoshis in the shop, a JSON number of bitcoin on the wire (at most eight decimals). For answers: at a low fixed rate a
 * price may exceed the supply of bitcoin.
 */
export const btc = btcUpTo(Number.MAX_SAFE_INTEGER);

/** The same for requests: at most the 21 million bitcoin that can exist. */
export const btcAmount = btcUpTo(21_000_000);

/** Cents in the shop, a JSON number of dollars on the wire (at most two decimals). */
export const usd = z.codec(
  z.number().nonnegative().max(Number.MAX_SAFE_INTEGER),
  z.custom<Cents>((value) => typeof value === 'bigint'),
  {
    decode: (amount) => cents(BigInt(Math.round(amount * 100))),
    encode: (amount) => Number(amount) / 100,
  },
);

/** A point in time: Date in the shop, ISO 8601 in UTC on the wire. */
export const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (written) => new Date(written),
  encode: (moment) => moment.toISOString(),
});

/** The body of every refusal. */
export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
  }),
});

/** A number in a query string; nothing is coerced but the digits themselves. */
export const queryInteger = (minimum: number, maximum: number) =>
  z.codec(z.string().regex(/^\d{1,9}$/), z.number().int().min(minimum).max(maximum), {
    decode: Number,
    encode: String,
  });
