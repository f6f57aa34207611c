/**
 * Codecs of all contracts, between wire values (JSON) and domain values (bigint money, Date).
 * Decoding validates requests; encoding lists each response field.
 */
import { z } from 'zod';
import { foldTyped } from './fold-typed.ts';
import { cents, sats, SATS_PER_BTC } from './money.ts';
import type { Cents, Sats } from './money.ts';

export type { Contract, WireRequest, WireResponse } from '#src/platform/http/endpoint.ts';

// PostgreSQL text rejects NUL; lone surrogates are not valid Unicode.
const isCleanText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** Untrusted text: bounded, without NUL or lone surrogates. Not trimmed. */
export const text = (maximum: number) =>
  z.string().max(maximum).refine(isCleanText, { message: 'contains characters that are not allowed' });

// A name of zero-width spaces looks empty to everybody who reads it.
const isVisible = (typed: string): boolean => foldTyped(typed) !== '';

/** Trimmed text of at least one visible character. */
export const filledText = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .refine(isCleanText, { message: 'contains characters that are not allowed' })
    .trim()
    .min(1, { message: 'is required' })
    .refine(isVisible, { message: 'is required' });

/** Largest value of a column of the type `integer`. */
export const MAX_INTEGER = 2_147_483_647;

/** The version of a row, as the client read it. 0: there is no row yet. */
export const rowVersion = (minimum: 0 | 1) => z.int().min(minimum).max(MAX_INTEGER);

export const id = z.uuid();
export const slug = z
  .string()
  .max(120)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { message: 'can have small letters, digits and single hyphens only' });

const btcUpTo = (maximum: number) =>
  z.codec(
    z.number().nonnegative().max(maximum),
    z.custom<Sats>((value) => typeof value === 'bigint'),
    {
      decode: (amount) => sats(BigInt(Math.round(amount * Number(SATS_PER_BTC)))),
      // Correctly rounded division of integers below 2^53, so at most eight decimals.
      encode: (amount) => Number(amount) / Number(SATS_PER_BTC),
    },
  );

/**
 * Satoshis; a JSON number of BTC on the wire (at most eight decimals). For responses: at a low
 * fixed rate a price may exceed the bitcoin supply.
 */
export const btc = btcUpTo(Number.MAX_SAFE_INTEGER);

/** BTC for requests: at most the supply of 21 million. */
export const btcAmount = btcUpTo(21_000_000);

/** Cents; a JSON number of dollars on the wire (at most two decimals). */
export const usd = z.codec(
  z.number().nonnegative().max(Number.MAX_SAFE_INTEGER),
  z.custom<Cents>((value) => typeof value === 'bigint'),
  {
    decode: (amount) => cents(BigInt(Math.round(amount * 100))),
    encode: (amount) => Number(amount) / 100,
  },
);

/** Satoshis that may be negative, such as revenue after refunds; a JSON number of BTC on the wire. For responses. */
export const signedBtc = z.codec(
  z.number(),
  z.custom<bigint>((value) => typeof value === 'bigint'),
  {
    decode: (amount) => BigInt(Math.round(amount * Number(SATS_PER_BTC))),
    encode: (amount) => Number(amount) / Number(SATS_PER_BTC),
  },
);

/** Cents that may be negative; a JSON number of dollars on the wire. For responses. */
export const signedUsd = z.codec(
  z.number(),
  z.custom<bigint>((value) => typeof value === 'bigint'),
  {
    decode: (amount) => BigInt(Math.round(amount * 100)),
    encode: (amount) => Number(amount) / 100,
  },
);

/** A moment: Date, or ISO 8601 in UTC on the wire. */
export const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (written) => new Date(written),
  encode: (moment) => moment.toISOString(),
});

/** A change that came in between: who made it, when, and the fields that differ. Null or empty if unknown. */
const conflict = z.object({
  by: z.string().nullable(),
  at: z.iso.datetime().nullable(),
  fields: z.array(z.object({ path: z.string(), label: z.string() })),
});
export type Conflict = z.input<typeof conflict>;

/** Body of every error response. */
export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    /** Of a refused change of an older version. */
    conflict: conflict.optional(),
  }),
});

/** A number in a query string; accepts digits only. */
export const queryInteger = (minimum: number, maximum: number) =>
  z.codec(z.string().regex(/^\d{1,9}$/), z.number().int().min(minimum).max(maximum), {
    decode: Number,
    encode: String,
  });

/** An element has the children up to its null. Text is a string. */
const textToken = z.union([z.string(), z.null(), z.object({ tag: z.string(), href: z.string().optional() })]);
/** A text that was parsed from Markdown, as a flat list of elements. */
export const textTokens = z.array(textToken);
export type TextToken = z.input<typeof textToken>;

export const MAX_DOLLARS = 9_999_999.99;

const isWholeCents = (amount: number): boolean => Math.abs(Math.round(amount * 100) - amount * 100) < 1e-6;
const centsOf = (amount: number): Cents => cents(BigInt(Math.round(amount * 100)));

/** Dollars in requests: whole cents between two amounts. */
export const dollars = (minimum: number, maximum = MAX_DOLLARS) =>
  z.codec(
    z
      .number()
      .min(minimum, { message: minimum > 0 ? 'must be above 0' : `must be at least ${minimum}` })
      .max(maximum, { message: 'must be at most 9,999,999.99' })
      .refine(isWholeCents, { message: 'must have at most two decimals' }),
    z.custom<Cents>((value) => typeof value === 'bigint'),
    { decode: centsOf, encode: (amount) => Number(amount) / 100 },
  );

/** Hundredths of a percent. */
export const percent = z.codec(
  z.number().gt(-100, { message: 'must be above -100' }).max(1000).refine(isWholeCents, {
    message: 'must have at most two decimals',
  }),
  z.custom<bigint>((value) => typeof value === 'bigint'),
  { decode: (amount) => BigInt(Math.round(amount * 100)), encode: (hundredths) => Number(hundredths) / 100 },
);

export const listOf = <Schema extends z.ZodType>(schema: Schema) => z.array(schema).readonly();
export const listUpTo = <Schema extends z.ZodType>(maximum: number, schema: Schema) =>
  z.array(schema).max(maximum).readonly();
