/** Variables about keys, the chain, payments and the bitcoin price, and exchange rates. */
import { z } from 'zod';
import { networkNames } from '#src/platform/bitcoin/network.ts';
import { walletScripts } from '#src/platform/bitcoin/wallet-script.ts';
import { parseRateUrls } from '#src/platform/rates/exchanges.ts';
import { onOff, webUrl, wholeNumber } from './setting-types.ts';

export const paymentsShape = {
  BITCOIN_NETWORK: z.enum(networkNames).default('regtest'),
  BITCOIN_XPUB: z.string().trim().min(1).optional(),
  BITCOIN_XPUB_ANY_DEPTH: onOff.default('off'),
  WALLET_SCRIPT: z.enum(walletScripts).default('p2wpkh'),
  CHAIN_SOURCE: z.enum(['devchain', 'core', 'esplora']).default('devchain'),
  CORE_RPC_URL: webUrl.optional(),
  CORE_COOKIE_FILE: z.string().min(1).optional(),
  ESPLORA_URL: webUrl.optional(),
  CONFIRMATIONS: z.string().default('0:1,500:2,5000:3,25000:6'),
  PAYMENT_WINDOW_S: wholeNumber(60, 604_800).default(7200),
  LATE_TOLERANCE: z.coerce.number().min(0).max(100).default(2),
  UNCLAIMED_AFTER_DAYS: wholeNumber(1, 3650).default(180),
  UNCONFIRMED_LIMIT_S: wholeNumber(0, 1_209_600).default(86_400),
  PAYMENT_TOLERANCE: z
    .string()
    .regex(/^(?:\d{1,7}|(?:\d(?:\.\d{1,2})?|10)%)$/, {
      message: 'must be satoshi, such as 500, or percent of the amount due, such as 0.5%, at most 10%',
    })
    .default('0'),
  RATE_SOURCE: z
    .string()
    .regex(/^(?:live|fixed:[1-9]\d{0,8}(?:\.\d{1,2})?)$/, { message: 'must be fixed:<USD per BTC> or live' })
    .default('fixed:111000'),
  RATE_SPREAD: z
    .string()
    .regex(/^\d(?:\.\d{1,2})?$/, { message: 'must be percent, from 0 to 9.99' })
    .default('0'),
  RATE_URLS: z
    .string()
    .refine((text) => parseRateUrls(text) !== null, { message: 'must be two or more of kraken=URL, coinbase=URL …' })
    .optional(),
  ECB_RATES_URL: webUrl.default('https://www.ecb.europa.eu/stats/eurofxref'),
  ECB_RATES_TIMEOUT_MS: wholeNumber(100, 60_000).default(10_000),
};
