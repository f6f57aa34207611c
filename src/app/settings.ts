/**
 * The settings, read once from the environment (and an optional `.env`), validated together. Nothing else in the shop
 * reads the environment.
 */
import { resolve } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { describeIssue } from '#src/platform/http/describe-issue.ts';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import type { AccountKey } from '#src/platform/bitcoin/account-key.ts';
import { DEMO_ACCOUNT_KEY } from '#src/platform/bitcoin/demo-account-key.ts';
import { findDatabaseUrlProblem } from '#src/platform/database/database-url.ts';
import type { networkNames } from '#src/platform/bitcoin/network.ts';
import { isMailAddress, parseSender } from '#src/platform/mail/mail-address.ts';
import type { Sender } from '#src/platform/mail/mail-address.ts';
import { defaultRateUrls, parseRateUrls } from '#src/platform/rates/exchanges.ts';
import type { RateUrls } from '#src/platform/rates/exchanges.ts';
import { parseConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import { resolveAssetsRoot } from './environment.ts';
import { integrationsShape, parseIntegrations } from './integration-settings.ts';
import type { IntegrationSettings } from './integration-settings.ts';
import { paymentsShape } from './payment-settings.ts';
import { onOff, webUrl, wholeNumber } from './setting-types.ts';
import { findTelemetryProblems, parseTelemetry, telemetryShape } from './telemetry-settings.ts';
import type { TelemetrySettings } from '#src/platform/telemetry/open-telemetry.ts';
import { findUploadsProblems, parseUploads, uploadsShape } from './uploads-settings.ts';
import type { UploadsSettings } from './uploads-settings.ts';

/** Not `z.url`: PostgreSQL allows several hosts in one URL. */
const checkDatabaseUrl: z.core.CheckFn<string> = ({ issues, value }) => {
  const message = findDatabaseUrlProblem(value);
  if (message !== null) issues.push({ code: 'custom', message, input: value });
};

const port = z.coerce.number().int().min(0).max(65_535);
/** Used without an ESPLORA_URL. These servers see every address that the shop looks up. */
const PUBLIC_ESPLORA: Readonly<Record<(typeof networkNames)[number], string | null>> = {
  mainnet: 'https://mempool.space/api',
  testnet4: 'https://mempool.space/testnet4/api',
  signet: 'https://mempool.space/signet/api',
  regtest: null,
};

const shape = z.object({
  SHOP_MODE: z.enum(['demo', 'live']).default('demo'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: webUrl.optional(),
  DATA_DIR: z.string().min(1).optional(),
  ASSETS_DIR: z.string().min(1).optional(),
  DATABASE_URL: z.string().check(checkDatabaseUrl).optional(),
  ...paymentsShape,
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .refine((text) => parseSender(text) !== null, { message: 'must be an address, or Name <address>' })
    .optional(),
  SUPPORT_EMAIL: z.string().refine(isMailAddress, { message: 'must be an address' }).optional(),
  RATE_LIMITS: onOff.default('on'),
  SECOND_FACTOR: z.enum(['required', 'optional']).optional(),
  DEVCHAIN_AUTOMINE: onOff.default('on'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  DRAIN_SECONDS: wholeNumber(0, 300).default(0),
  PAGES: z.enum(['engine', 'stock']).default('engine'),
  PREPARED_STATEMENTS: onOff.default('on'),
  ...uploadsShape,
  ...integrationsShape,
  ...telemetryShape,
});
type Environment = z.output<typeof shape>;

/** The chain source that payments are read from. */
export type ChainSettings =
  | { readonly source: 'devchain' }
  | {
      readonly source: 'core';
      /** May contain a password. */
      readonly url: string;
      readonly cookieFile: string | null;
    }
  | {
      readonly source: 'esplora';
      /** Without a trailing slash. */
      readonly url: string;
    };

export interface Settings {
  readonly mode: 'demo' | 'live';
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. Null: the address that the shop listens on. */
  readonly publicUrl: string | null;
  readonly dataDir: string;
  readonly isDataDirExplicit: boolean;
  /** Directory with the scripts and styles of all releases. */
  readonly assetsDir: string;
  readonly databaseUrl: string | null;
  readonly network: Environment['BITCOIN_NETWORK'];
  /** The extended public key that the shop's addresses are derived from. */
  readonly accountKey: AccountKey;
  readonly hasDemoAccount: boolean;
  readonly walletScript: Environment['WALLET_SCRIPT'];
  readonly chain: ChainSettings;
  readonly confirmationSteps: ConfirmationSteps;
  readonly paymentWindowSeconds: number;
  readonly lateTolerancePercent: number;
  /** Days after which staff may write off unclaimed money. */
  readonly unclaimedAfterDays: number;
  /** How long an order waits, after its window, for an unconfirmed payment that was seen in time. */
  readonly unconfirmedLimitSeconds: number;
  /** How much less than the amount due counts as full payment: sats, or hundredths of a percent. */
  readonly paymentTolerance: { readonly sats: bigint; readonly basisPoints: bigint };
  /** Cents per bitcoin. Null: a live rate. */
  readonly fixedRateCents: bigint | null;
  /** Hundredths of a percent that are deducted from the rate of the exchanges. */
  readonly rateSpread: bigint;
  readonly rateUrls: RateUrls;
  /** Where the files of the European Central Bank are, without a trailing slash, and the time limit of a request. */
  readonly ecbRates: { readonly url: string; readonly timeoutMs: number };
  /** May contain a password. Null: mails are stored for the demo mailbox only. */
  readonly smtpUrl: string | null;
  /** Its name is empty unless MAIL_FROM has one. */
  readonly mailFrom: Sender;
  /** Receives the staff mails unless the settings of the shop name another. Null: none are sent. */
  readonly supportEmail: string | null;
  /** Whether members of the team need a second factor before their first action. */
  readonly isSecondFactorRequired: boolean;
  readonly hasRateLimits: boolean;
  readonly autoMine: boolean;
  readonly logLevel: Environment['LOG_LEVEL'];
  readonly trustedProxies: number;
  /** How long the process still serves after a stop request, while it reports that it is not ready. */
  readonly drainSeconds: number;
  /** Renderer of the pages: the page engine, or stock React Router for comparison. */
  readonly pages: Environment['PAGES'];
  /** Whether frequent statements are planned once per connection, instead of each time. */
  readonly hasPreparedStatements: boolean;
  readonly uploads: UploadsSettings;
  readonly integrations: IntegrationSettings;
  readonly telemetry: TelemetrySettings;
  /** Every variable with its value in force, secrets masked. */
  readonly effective: readonly EffectiveSetting[];
}

interface EffectiveSetting {
  readonly name: string;
  /** Null if unset and without a default. */
  readonly value: string | null;
}

/** Lists every invalid setting, one line each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(problems: readonly string[]) {
    super(`The settings are invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** Uses TLS or loopback. Checks the parsed host: that of `http://localhost:1@evil.example` is evil.example. */
function isSafe(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Settings that live mode requires, and combinations that cannot work. */
function findContradictions(env: Environment): string[] {
  const problems: string[] = [];
  const check = (isMet: boolean, problem: string): void => {
    if (!isMet) problems.push(problem);
  };
  const isLive = env.SHOP_MODE === 'live';
  if (isLive) {
    for (const name of ['PUBLIC_URL', 'BITCOIN_XPUB', 'SMTP_URL'] as const) {
      check(env[name] !== undefined, `${name}: live mode requires it`);
    }
    check(
      env.PUBLIC_URL === undefined || isSafe(env.PUBLIC_URL),
      'PUBLIC_URL: live mode requires https, except on loopback: http would send sessions and addresses unencrypted',
    );
    check(env.CHAIN_SOURCE !== 'devchain', 'CHAIN_SOURCE: live mode requires a real chain: core or esplora');
    check(env.RATE_SOURCE === 'live', 'RATE_SOURCE: live mode requires live');
    check(env.RATE_LIMITS === 'on', 'RATE_LIMITS: may be off in demo mode only');
    check(env.SECOND_FACTOR !== 'optional', 'SECOND_FACTOR: may be optional in demo mode only');
  }
  check(
    env.CHAIN_SOURCE !== 'devchain' || env.BITCOIN_NETWORK === 'regtest',
    'CHAIN_SOURCE: the devchain is a regtest chain; BITCOIN_NETWORK must be regtest',
  );
  check(
    env.BITCOIN_NETWORK === 'regtest' || env.BITCOIN_XPUB !== undefined,
    `BITCOIN_XPUB: required on ${env.BITCOIN_NETWORK}`,
  );
  problems.push(...findChainProblems(env), ...findUploadsProblems(env), ...findTelemetryProblems(env));
  check(!isLive || [...readRateUrls(env).values()].every(isSafe), 'RATE_URLS: live mode requires https');
  check(!isLive || isSafe(env.ECB_RATES_URL), 'ECB_RATES_URL: live mode requires https');
  return problems;
}

function findChainProblems({
  CHAIN_SOURCE,
  BITCOIN_NETWORK,
  CORE_RPC_URL,
  CORE_COOKIE_FILE,
  ESPLORA_URL,
}: Environment) {
  if (CHAIN_SOURCE === 'esplora') {
    const isThere = ESPLORA_URL !== undefined || PUBLIC_ESPLORA[BITCOIN_NETWORK] !== null;
    if (!isThere) return [`ESPLORA_URL: required on ${BITCOIN_NETWORK}`];
    const hasPassword = ESPLORA_URL !== undefined && new URL(ESPLORA_URL).username !== '';
    return hasPassword ? ['ESPLORA_URL: must not contain a user or password'] : [];
  }
  if (CHAIN_SOURCE !== 'core') return [];
  if (CORE_RPC_URL === undefined)
    return ['CORE_RPC_URL: CHAIN_SOURCE=core requires it, http://user:password@host:port'];
  const hasPassword = new URL(CORE_RPC_URL).username !== '';
  if (hasPassword === (CORE_COOKIE_FILE === undefined)) return [];
  return hasPassword
    ? ['CORE_COOKIE_FILE: CORE_RPC_URL contains a user already; use only one of the two']
    : ['CORE_RPC_URL: without user and password it requires CORE_COOKIE_FILE'];
}

function parseChain({
  CHAIN_SOURCE,
  BITCOIN_NETWORK,
  CORE_RPC_URL,
  CORE_COOKIE_FILE,
  ESPLORA_URL,
}: Environment): ChainSettings {
  if (CHAIN_SOURCE === 'core') return { source: 'core', url: CORE_RPC_URL ?? '', cookieFile: CORE_COOKIE_FILE ?? null };
  if (CHAIN_SOURCE === 'devchain') return { source: 'devchain' };
  const base = ESPLORA_URL ?? PUBLIC_ESPLORA[BITCOIN_NETWORK] ?? '';
  return { source: 'esplora', url: base.replace(/\/+$/, '') };
}

/** "111000.5" dollars as cents. */
function parseCents(dollars: string): bigint {
  const [whole = '0', fraction = ''] = dollars.split('.');
  return BigInt(whole + fraction.padEnd(2, '0'));
}

/** "500" satoshi, or "0.5%" in hundredths of a percent. */
function parseTolerance(text: string): Settings['paymentTolerance'] {
  if (!text.endsWith('%')) return { sats: BigInt(text), basisPoints: 0n };
  return { sats: 0n, basisPoints: parseCents(text.slice(0, -1)) };
}

const readRateUrls = ({ RATE_URLS }: Environment): RateUrls =>
  (RATE_URLS === undefined ? null : parseRateUrls(RATE_URLS)) ?? defaultRateUrls;

/** Without MAIL_FROM, an address at the host of PUBLIC_URL. */
function createSender({ MAIL_FROM, PUBLIC_URL }: Environment): Sender {
  const host = PUBLIC_URL === undefined ? 'localhost' : new URL(PUBLIC_URL).hostname;
  const byDefault = { name: '', address: `no-reply@${host}` };
  return (MAIL_FROM === undefined ? null : parseSender(MAIL_FROM)) ?? byDefault;
}

/**
 * @param environment usually process.env; empty values count as unset
 * @throws SettingsError that lists every mistake
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const settings = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const parsed = shape.safeParse(Object.fromEntries(settings), { error: describeIssue });
  const wrong = new Map(parsed.error?.issues.map((issue) => [issue.path.join('.'), issue.message]));
  // Combinations are checked even then, with defaults in place of the invalid values.
  const readable = settings.filter(([name]) => !wrong.has(name));
  const env = parsed.data ?? shape.parse(Object.fromEntries(readable));
  const confirmations = parseConfirmationSteps(env.CONFIRMATIONS);
  const { BITCOIN_NETWORK: network, BITCOIN_XPUB: xpub = DEMO_ACCOUNT_KEY, WALLET_SCRIPT: script } = env;
  const key = readAccountKey(xpub, network, script, env.BITCOIN_XPUB_ANY_DEPTH === 'on');
  const problems = [
    ...[...wrong].map(([name, message]) => `${name}: ${message}`),
    ...(confirmations.ok ? [] : [`CONFIRMATIONS: ${confirmations.reason}`]),
    ...[...findContradictions(env), ...(key.ok ? [] : [`BITCOIN_XPUB: ${key.message}`])].filter(
      (problem) => !wrong.has(problem.slice(0, problem.indexOf(':'))),
    ),
  ];
  if (problems.length > 0 || !confirmations.ok || !key.ok) throw new SettingsError(problems);
  const read = createSettings(env, key.account, confirmations.steps);
  return Object.freeze({ ...read, effective: listEffective(env, read) });
}

/** Masks users, passwords and queries of URLs, keys of a bucket, and most of the account key. */
export function maskSetting(name: string, value: string): string {
  if (name === 'BITCOIN_XPUB') return value.length > 24 ? `${value.slice(0, 8)}…${value.slice(-4)}` : '…';
  if (name.startsWith('UPLOADS_') && name.includes('KEY')) return '…';
  return value.replaceAll(/\/\/\S*@/g, '//…@').replaceAll(/\?\S*/g, '?…');
}

/** Every variable of the schema; an unset one has its default. */
function listEffective(env: Environment, read: Omit<Settings, 'effective'>): EffectiveSetting[] {
  const defaults: Readonly<Record<string, string | null>> = {
    PUBLIC_URL: read.publicUrl ?? `http://localhost:${read.port}`,
    DATA_DIR: read.dataDir,
    ASSETS_DIR: read.assetsDir,
    ESPLORA_URL: read.chain.source === 'esplora' ? read.chain.url : null,
    BITCOIN_XPUB: read.hasDemoAccount ? null : DEMO_ACCOUNT_KEY,
    MAIL_FROM: read.mailFrom.name === '' ? read.mailFrom.address : `${read.mailFrom.name} <${read.mailFrom.address}>`,
    SUPPORT_EMAIL: read.supportEmail,
    WEBHOOK_ALLOW_HTTP: read.integrations.webhooks.isHttpAllowed ? 'on' : 'off',
    SECOND_FACTOR: read.isSecondFactorRequired ? 'required' : 'optional',
  };
  return Object.entries({ ...createEmptyEnvironment(), ...env }).map(([name, value]) => {
    const text = value === undefined ? (defaults[name] ?? null) : String(value);
    return { name, value: text === null ? null : maskSetting(name, text) };
  });
}

const createEmptyEnvironment = (): Record<string, undefined> =>
  Object.fromEntries(Object.keys(shape.shape).map((name) => [name, undefined]));

const isSecondFactorRequired = ({ SECOND_FACTOR, SHOP_MODE }: Environment): boolean =>
  (SECOND_FACTOR ?? (SHOP_MODE === 'live' ? 'required' : 'optional')) === 'required';

function createSettings(
  env: Environment,
  accountKey: AccountKey,
  confirmationSteps: ConfirmationSteps,
): Omit<Settings, 'effective'> {
  return {
    mode: env.SHOP_MODE,
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    dataDir: resolve(env.DATA_DIR ?? '.data'),
    isDataDirExplicit: env.DATA_DIR !== undefined,
    assetsDir: resolveAssetsRoot(env),
    databaseUrl: env.DATABASE_URL ?? null,
    network: env.BITCOIN_NETWORK,
    accountKey,
    hasDemoAccount: env.SHOP_MODE === 'demo' && env.CHAIN_SOURCE === 'devchain' && env.BITCOIN_XPUB === undefined,
    walletScript: env.WALLET_SCRIPT,
    chain: parseChain(env),
    confirmationSteps,
    paymentWindowSeconds: env.PAYMENT_WINDOW_S,
    lateTolerancePercent: env.LATE_TOLERANCE,
    unclaimedAfterDays: env.UNCLAIMED_AFTER_DAYS,
    unconfirmedLimitSeconds: env.UNCONFIRMED_LIMIT_S,
    paymentTolerance: parseTolerance(env.PAYMENT_TOLERANCE),
    fixedRateCents: env.RATE_SOURCE === 'live' ? null : parseCents(env.RATE_SOURCE.slice('fixed:'.length)),
    // Two decimals of a percent, as of a dollar.
    rateSpread: parseCents(env.RATE_SPREAD),
    rateUrls: readRateUrls(env),
    ecbRates: { url: env.ECB_RATES_URL.replace(/\/+$/, ''), timeoutMs: env.ECB_RATES_TIMEOUT_MS },
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: createSender(env),
    supportEmail: env.SUPPORT_EMAIL ?? null,
    isSecondFactorRequired: isSecondFactorRequired(env),
    hasRateLimits: env.RATE_LIMITS === 'on',
    autoMine: env.DEVCHAIN_AUTOMINE === 'on',
    logLevel: env.LOG_LEVEL,
    trustedProxies: env.TRUST_PROXY,
    drainSeconds: env.DRAIN_SECONDS,
    pages: env.PAGES,
    hasPreparedStatements: env.PREPARED_STATEMENTS === 'on',
    uploads: parseUploads(env),
    integrations: parseIntegrations(env, env.SHOP_MODE),
    telemetry: parseTelemetry(env),
  };
}

/** Where customers reach the shop, without a trailing slash. */
export const resolveShopUrl = ({ publicUrl, port: listeningPort }: Pick<Settings, 'publicUrl' | 'port'>): string =>
  publicUrl ?? `http://localhost:${listeningPort}`;

/** Variables that node-postgres and TLS read themselves, for a process with a connection of its own. */
export const readConnectionVariables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      /^(?:PG[A-Z]+|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|HOME)$/.test(name) && value !== undefined
        ? [[name, value]]
        : [],
    ),
  );
