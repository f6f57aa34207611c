/** The systemd unit: what systemd says about it, and the shop as it starts it. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { canEnter } from '#src/platform/database/postgres-place.ts';
import './support/built-pages.ts';
import { copyProject } from './support/copy-project.ts';
import { readDatabasePid } from './support/kill-database.ts';
import { listProcesses } from './support/operator.ts';
import { findProgram, skipWithout } from './support/programs.ts';
import { endOrphanedDatabase, findFreePort } from './support/shop-process.ts';
import { makeTemporaryDirectory } from './support/template.ts';
import { waitUntil } from './support/wait-until.ts';

const UNIT = 'deploy/crypto-market.service';
/** Exposure by `systemd-analyze security`, times ten, on its scale of 100. */
const MAX_EXPOSURE = '20';
const NOBODY = 65_534;

const unit = readFileSync(UNIT, 'utf8');
/** Values of a key of the unit. */
const list = (key: string): string[] => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, v = '']) => v);

const directories: string[] = [];
after(() => {
  for (const directory of directories) {
    endOrphanedDatabase(join(directory, 'state'));
    rmSync(directory, { recursive: true, force: true });
  }
});
function createDirectory(): string {
  const directory = makeTemporaryDirectory();
  directories.push(directory);
  return directory;
}

/** The unit for this project, below a path without spaces. */
function writeUnit(): string {
  const directory = createDirectory();
  symlinkSync(process.cwd(), join(directory, 'shop'));
  const file = join(directory, 'crypto-market.service');
  writeFileSync(file, unit.replaceAll('/srv/shop', join(directory, 'shop')));
  return file;
}

const analyze = (...args: readonly string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(findProgram('systemd-analyze') ?? '', [...args]);

test('[OPS-21] systemd accepts the unit without a warning', { skip: skipWithout('systemd-analyze') }, async () => {
  const { stdout, stderr } = await analyze('verify', '--man=no', writeUnit());
  assert.equal(stdout + stderr, '');
});

test(
  '[OPS-21] systemd rates the exposure of the unit at most 2.0',
  { skip: skipWithout('systemd-analyze') },
  async () => {
    // It fails above the threshold.
    await analyze('security', '--offline=true', '--no-pager', `--threshold=${MAX_EXPOSURE}`, writeUnit());
  },
);

test('[OPS-21] the unit gives the shop longer to stop than it takes', () => {
  const forcedExitMs = Number(
    /FORCED_EXIT_MS = ([\d_]+)/.exec(readFileSync('src/main.ts', 'utf8'))?.[1]?.replace('_', ''),
  );
  assert.ok(forcedExitMs > 0);
  assert.ok(Number(list('TimeoutStopSec')[0]) * 1000 > forcedExitMs);
  assert.deepEqual(list('KillMode'), ['mixed'], 'the database must not get SIGTERM together with the shop');
});

const canMount = ((): boolean => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test(
  '[OPS-21] the command of the unit runs as another user on read-only code',
  { skip: canMount ? false : 'needs root that may mount' },
  async (context) => {
    if (!(await canEnter({ uid: NOBODY, gid: NOBODY }, process.cwd()))) {
      return context.skip('only root may enter the project');
    }
    const directory = createDirectory();
    const [code, state, runtime] = ['code', 'state', 'runtime'].map((name) => join(directory, name));
    assert.ok(code !== undefined && state !== undefined && runtime !== undefined);
    copyProject(code);
    cpSync('build', join(code, 'build'), { recursive: true });
    for (const own of [state, runtime]) {
      mkdirSync(own, { mode: 0o700 });
      chownSync(own, NOBODY, NOBODY);
    }
    const port = await findFreePort();
    // Readable by the shop's group only, as the manual says.
    writeFileSync(join(code, '.env'), `DATA_DIR=${state}\nPORT=${port}\nLOG_LEVEL=warn\nRATE_LIMITS=off\n`);
    chownSync(join(code, '.env'), 0, NOBODY);
    chmodSync(join(code, '.env'), 0o640);

    const asUnit = (command: string): readonly string[] => [
      '--mount',
      '/bin/sh',
      '-c',
      `mount --bind -o ro "$0" "$0" && umask ${list('UMask')[0]} && cd "$0" &&
        exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups --no-new-privs --bounding-set=-all ${command}`,
      code,
    ];
    const env = { PATH: process.env['PATH'], TMPDIR: runtime };
    const start = (list('ExecStart')[0] ?? '').replaceAll('/srv/shop/', `${code}/`);
    const shop = spawn('unshare', asUnit(start), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [shop.stdout, shop.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => void shop.once('exit', resolve));
    context.after(() => shop.kill('SIGKILL'));
    const url = `http://127.0.0.1:${port}`;
    const isReady = (): Promise<boolean> =>
      fetch(`${url}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
    await waitUntil(async () => shop.exitCode !== null || (await isReady()));
    assert.equal(shop.exitCode, null, output);
    assert.equal((await fetch(`${url}/`)).status, 200);

    // A command of the manual reaches the database of the running shop through its socket.
    const { stdout } = await promisify(execFile)('unshare', asUnit('npm run db status'), {
      env: { ...env, HOME: '/nonexistent' },
    });
    assert.match(stdout, /\(running\)$/m);

    const database = readDatabasePid(state);
    shop.kill('SIGTERM');
    const stopped = performance.now();
    assert.equal(await ended, 0, output);
    assert.ok(performance.now() - stopped < 10_000);
    assert.ok(database !== null && readDatabasePid(state) === null);
    assert.deepEqual(await listProcesses(state), []);
  },
);
