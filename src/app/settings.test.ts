import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSetting, readSettings, SettingsError } from './settings.ts';
import type { ChainSettings } from './settings.ts';

/** The account key of BIP84's test vectors. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const core = { CHAIN_SOURCE: 'core', BITCOIN_NETWORK: 'regtest' };

function readProblems(environment: NodeJS.ProcessEnv): string {
  try {
    readSettings(environment);
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    return error.message;
  }
  return assert.fail('no problem was reported');
}
const readChain = (environment: NodeJS.ProcessEnv): ChainSettings => readSettings(environment).chain;

test('chain settings: devchain, Core with password or cookie, Esplora', () => {
  assert.deepEqual(readChain({}), { source: 'devchain' });
  const url = 'http://merchant:secret@127.0.0.1:8332';
  assert.deepEqual(readChain({ ...core, CORE_RPC_URL: url }), { source: 'core', url, cookieFile: null });
  const bare = 'http://127.0.0.1:8332';
  assert.deepEqual(readChain({ ...core, CORE_RPC_URL: bare, CORE_COOKIE_FILE: '/node/.cookie' }), {
    source: 'core',
    url: bare,
    cookieFile: '/node/.cookie',
  });
  const esplora = { CHAIN_SOURCE: 'esplora', BITCOIN_NETWORK: 'regtest', ESPLORA_URL: 'http://127.0.0.1:3002/api//' };
  assert.deepEqual(readChain(esplora), { source: 'esplora', url: 'http://127.0.0.1:3002/api' });
});

test('without ESPLORA_URL the public server of the network is used', () => {
  const mainnet = { CHAIN_SOURCE: 'esplora', BITCOIN_NETWORK: 'mainnet', BITCOIN_XPUB: ZPUB };
  assert.deepEqual(readChain(mainnet), { source: 'esplora', url: 'https://mempool.space/api' });
});

test('one error lists every invalid setting and no password', () => {
  assert.match(readProblems({ CHAIN_SOURCE: 'esplora' }), /ESPLORA_URL: required on regtest/);
  assert.match(
    readProblems({ CHAIN_SOURCE: 'esplora', ESPLORA_URL: 'http://a:geheim@127.0.0.1' }),
    /ESPLORA_URL: must not contain a user or password/,
  );
  const problems = readProblems({ ...core, PORT: 'x', TRUST_PROXY: '-1' });
  for (const name of ['CORE_RPC_URL', 'PORT', 'TRUST_PROXY']) assert.match(problems, new RegExp(`^  ${name}: `, 'm'));
  assert.match(readProblems({ ...core, CORE_RPC_URL: 'http://127.0.0.1:1' }), /without user and password/);
  const both = { ...core, CORE_RPC_URL: 'http://a:geheim@127.0.0.1:1', CORE_COOKIE_FILE: '/x' };
  assert.match(readProblems(both), /use only one of the two/);
  assert.match(readProblems({ ...core, CORE_RPC_URL: 'node:8332' }), /CORE_RPC_URL: /);
  assert.doesNotMatch(readProblems(both), /geheim/);
});

test('[OPS-02] pictures are stored in a directory unless a bucket is set', () => {
  assert.deepEqual(readSettings({}).uploads, { maxBytes: 10_000_000_000n, bucket: null });
  const keys = { UPLOADS_ACCESS_KEY_ID: 'id', UPLOADS_SECRET_ACCESS_KEY: 'geheim' };
  const environment = { ...keys, UPLOADS_URL: 's3://my-shop/live/pictures/', UPLOADS_REGION: 'eu-central-1' };
  const { uploads, effective } = readSettings({ ...environment, UPLOADS_MAX_GB: '2' });
  assert.deepEqual(uploads, {
    maxBytes: 2_000_000_000n,
    bucket: {
      bucket: 'my-shop',
      prefix: 'live/pictures/',
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      region: 'eu-central-1',
      accessKeyId: 'id',
      secretAccessKey: 'geheim',
      isPathStyle: false,
    },
  });
  assert.doesNotMatch(JSON.stringify(effective), /geheim/);
  assert.match(
    readProblems({ UPLOADS_URL: 's3://my-shop' }),
    /UPLOADS_ACCESS_KEY_ID: .*\n {2}UPLOADS_SECRET_ACCESS_KEY: /,
  );
  for (const url of ['s3://', 's3://my_shop', 'https://my-shop', 's3://my-shop/../other', 's3://my-shop//x']) {
    assert.match(readProblems({ ...keys, UPLOADS_URL: url }), /UPLOADS_URL: must be s3:/, url);
  }
  const withPassword = { ...environment, UPLOADS_ENDPOINT: 'http://a:geheim@127.0.0.1:9000' };
  assert.match(readProblems(withPassword), /UPLOADS_ENDPOINT: must not contain a user/);
});

test('[OPS-26] live mode refuses a PUBLIC_URL without TLS, except on loopback', () => {
  const refused = /^ {2}PUBLIC_URL: live mode requires https/m;
  for (const url of [
    'http://shop.example',
    'http://192.168.0.2:3000',
    'http://localhost.shop.example',
    'http://localhost:3000@shop.example',
    'http://0.0.0.0',
  ]) {
    assert.match(readProblems({ SHOP_MODE: 'live', PUBLIC_URL: url }), refused, url);
  }
  for (const url of [
    'https://shop.example',
    'http://localhost',
    'http://localhost:3000/',
    'http://127.0.0.1',
    'http://127.1.2.3:80',
    'http://[::1]:3000',
  ]) {
    assert.doesNotMatch(readProblems({ SHOP_MODE: 'live', PUBLIC_URL: url }), refused, url);
  }
  assert.equal(readSettings({ PUBLIC_URL: 'http://shop.example' }).publicUrl, 'http://shop.example');
});

test('live mode refuses an exchange address that only starts like loopback', () => {
  const urls = 'kraken=http://localhost:1@evil.example gemini=https://gemini.example';
  assert.match(readProblems({ SHOP_MODE: 'live', RATE_URLS: urls }), /RATE_URLS: live mode requires https/);
});

test('[OPS-26] settings are shown without users, passwords, queries and keys', () => {
  assert.equal(maskSetting('SMTP_URL', 'smtp://user:pass%2F@word@mail.example:587'), 'smtp://…@mail.example:587');
  assert.equal(maskSetting('CORE_RPC_URL', 'http://user:a/b@127.0.0.1:8332'), 'http://…@127.0.0.1:8332');
  assert.equal(maskSetting('ESPLORA_URL', 'https://esplora.example/api?key=secret'), 'https://esplora.example/api?…');
  assert.equal(
    maskSetting('BITCOIN_XPUB', 'xpub6CUGRUonZSQ4TWtTMmzXdrXDtypWKiKrhko4egpiMZbpiaQL2jkwSB1icqYh2cfDfVxdx'),
    'xpub6CUG…Vxdx',
  );
  assert.equal(maskSetting('PAYMENT_WINDOW_S', '7200'), '7200');
  const { effective } = readSettings({ SMTP_URL: 'smtp://user:hidden-canary@mail.example:587', PORT: '8080' });
  assert.ok(!JSON.stringify(effective).includes('hidden-canary'));
  const findValue = (name: string): string | null | undefined =>
    effective.find((setting) => setting.name === name)?.value;
  assert.deepEqual([findValue('PORT'), findValue('PUBLIC_URL')], ['8080', 'http://localhost:8080']);
  assert.equal(findValue('DATABASE_URL'), null);
});

const readTolerance = (text?: string) => readSettings({ PAYMENT_TOLERANCE: text }).paymentTolerance;

test('[PAY-15] the payment tolerance is sats or a percentage; default none', () => {
  assert.deepEqual(readTolerance(), { sats: 0n, basisPoints: 0n });
  assert.deepEqual(readTolerance('500'), { sats: 500n, basisPoints: 0n });
  assert.deepEqual(readTolerance('0.5%'), { sats: 0n, basisPoints: 50n });
  assert.deepEqual(readTolerance('10%'), { sats: 0n, basisPoints: 1000n });
  for (const text of ['-1', '0.5', '11%', '10.5%', '%', '0.555%', '99999999', '5 sats']) {
    assert.match(readProblems({ PAYMENT_TOLERANCE: text }), /PAYMENT_TOLERANCE: must be satoshi/, text);
  }
});

test('[PAY-10] an order waits a day for an unconfirmed payment by default', () => {
  assert.equal(readSettings({}).unconfirmedLimitSeconds, 86_400);
  assert.equal(readSettings({ UNCONFIRMED_LIMIT_S: '0' }).unconfirmedLimitSeconds, 0);
  assert.match(readProblems({ UNCONFIRMED_LIMIT_S: '-1' }), /UNCONFIRMED_LIMIT_S/);
});

test('[OPS-20] metrics and traces are off unless set, and a ratio samples traces', () => {
  assert.deepEqual(readSettings({}).telemetry, { metrics: null, traces: null });
  const { metrics } = readSettings({ METRICS_PORT: '9464' }).telemetry;
  assert.deepEqual(metrics, { host: '127.0.0.1', port: 9464 });
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/', OTEL_TRACES_SAMPLER_ARG: '0.1' };
  const readTraces = (sampler: string) => readSettings({ ...collector, OTEL_TRACES_SAMPLER: sampler }).telemetry.traces;
  const traces = { endpoint: 'http://127.0.0.1:4318', serviceName: 'shop' };
  assert.deepEqual(readTraces('traceidratio'), { ...traces, ratio: 0.1 });
  assert.deepEqual(readTraces('always_off'), { ...traces, ratio: 0 });
  assert.deepEqual(readTraces(''), { ...traces, ratio: 1 });
  assert.match(
    readProblems({ METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }),
    /METRICS_PORT: .*\n.*OTEL/,
  );
  assert.match(readProblems({ PORT: '4000', METRICS_PORT: '4000' }), /METRICS_PORT: must not be PORT/);
});
