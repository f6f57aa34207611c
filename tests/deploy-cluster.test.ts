/** Patroni and HAProxy accept the files of deploy/, whose behaviour tests/cluster.test.ts tests. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { findOldestPostgresPrograms } from './support/debian-postgres.ts';
import { createCertificate } from './support/https-client.ts';
import { findProgram, skipWithout } from './support/programs.ts';
import { makeTemporaryDirectory } from './support/template.ts';

const directory = makeTemporaryDirectory();
after(() => rmSync(directory, { recursive: true, force: true }));
const patroni = readFileSync('deploy/patroni.yml', 'utf8');

test('[OPS-24] HAProxy accepts deploy/haproxy.cfg', { skip: skipWithout('haproxy', 'openssl') }, () => {
  const { certFile, keyFile } = createCertificate(directory);
  const pem = join(directory, 'shop.pem');
  writeFileSync(pem, readFileSync(certFile, 'utf8') + readFileSync(keyFile, 'utf8'));
  const file = join(directory, 'haproxy.cfg');
  const config = readFileSync('deploy/haproxy.cfg', 'utf8');
  // The user comes with Debian's package.
  const check = (text: string) => {
    writeFileSync(file, text.replace('/etc/haproxy/shop.pem', pem).replaceAll(/^\t(?:user|group) .*\n/gm, ''));
    return spawnSync(findProgram('haproxy') ?? '', ['-c', '-f', file], { encoding: 'utf8' });
  };
  const checked = check(config);
  assert.equal(checked.status, 0, checked.stderr);
  assert.doesNotMatch(checked.stderr, /WARNING|ALERT/);
  assert.notEqual(check(config.replace('option httpchk GET /primary', 'option httpcheck')).status, 0);
});

const skip = skipWithout('patroni') || (findOldestPostgresPrograms() === null && 'needs PostgreSQL 15');
/** It wants addresses of other machines, etcd at them, and rules in `bootstrap` that those in `postgresql` replace. */
const ALWAYS_MISSED = ['restapi.connect_address', 'bootstrap.pg_hba', 'etcd3.hosts', 'postgresql.connect_address'];

test('[OPS-24] Patroni accepts deploy/patroni.yml', { skip }, () => {
  const file = join(directory, 'patroni.yml');
  const listComplaints = (text: string): string[] => {
    const local = text
      .replaceAll('10.0.0.11', '127.0.0.1')
      .replace('/usr/lib/postgresql/15/bin', findOldestPostgresPrograms() ?? '')
      .replace('/var/lib/postgresql/15/shop', join(directory, 'data'));
    writeFileSync(file, local);
    const { stdout, stderr } = spawnSync(findProgram('patroni') ?? '', ['--validate-config', file], {
      encoding: 'utf8',
    });
    return (stdout + stderr).split('\n').flatMap((line) => /^[\w.]+/.exec(line)?.[0] ?? []);
  };
  assert.deepEqual(listComplaints(patroni), ALWAYS_MISSED);
  const wrong = listComplaints(patroni.replace('loop_wait: 1', 'loop_wait: often'));
  assert.ok(wrong.includes('bootstrap.dcs.loop_wait'), wrong.join());
});

test('[OPS-24] the timing of Patroni replaces a lost primary within 10 s, and is consistent', () => {
  const { bootstrap } = z
    .object({
      bootstrap: z.object({
        dcs: z.object({
          ttl: z.number(),
          loop_wait: z.number(),
          retry_timeout: z.number(),
          synchronous_mode: z.literal(true),
          primary_start_timeout: z.literal(0),
        }),
      }),
    })
    .parse(parse(patroni));
  const { ttl, loop_wait: loopWait, retry_timeout: retryTimeout } = bootstrap.dcs;
  assert.ok(loopWait + 2 * retryTimeout <= ttl, 'a primary that loses etcd stops before its key expires');
  assert.ok(ttl + loopWait < 10);
});
