import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { ReleaseAssets } from './release-assets.ts';
import { createReleaseId, recordUse, Releases } from './releases.ts';

const HOUR = 3600_000;
const base = mkdtempSync(path.join(os.tmpdir(), 'crypto-market-releases-'));
after(() => rmSync(base, { recursive: true }));

let folders = 0;
let [build, assets] = ['', ''];
let releases: Releases;
beforeEach(() => {
  folders += 1;
  [build, assets] = [path.join(base, `build-${folders}`), path.join(base, `assets-${folders}`)];
  releases = new Releases(build, assets);
});

/** Publishes a build of that time with these assets. */
function publish(at: number, names: readonly string[] = ['app.js']): string {
  const id = createReleaseId(new Date(at));
  const directory = path.join(releases.getPartialDirectory(id), 'client', 'assets');
  mkdirSync(directory, { recursive: true });
  for (const name of names) writeFileSync(path.join(directory, name), id);
  releases.publish(id);
  setUsedAt(id, at);
  return id;
}
const setUsedAt = (id: string, at: number): void => utimesSync(path.join(assets, id), at / 1000, at / 1000);
const listKept = (): readonly string[] => readdirSync(assets).toSorted();

test('[OPS-22] only a complete build becomes the current one', () => {
  assert.equal(releases.readCurrent(), null);
  const first = publish(Date.parse('2026-01-01T10:00:00Z'));
  assert.equal(releases.readCurrent()?.id, first);
  // A build that was killed before its end.
  mkdirSync(releases.getPartialDirectory(createReleaseId(new Date())), { recursive: true });
  assert.equal(releases.readCurrent()?.id, first);
  assert.deepEqual(
    releases.list().map(({ id }) => id),
    [first],
  );
  const second = publish(Date.parse('2026-01-02T10:00:00Z'));
  assert.equal(releases.readCurrent()?.id, second);
  releases.setCurrent(first);
  assert.equal(releases.readCurrent()?.id, first);
  rmSync(path.join(assets, first), { recursive: true });
  assert.equal(releases.readCurrent(), null, 'its assets are missing');
});

test('[OPS-22] assets stay a day after a newer build and after their last use', () => {
  const start = Date.parse('2026-01-01T10:00:00Z');
  const former = publish(start);
  const current = publish(start + 100 * HOUR);
  releases.removeOld(start + 123 * HOUR);
  assert.deepEqual(listKept(), [former, current]);
  // A process still runs it.
  setUsedAt(former, start + 123 * HOUR);
  releases.removeOld(start + 146 * HOUR);
  assert.deepEqual(listKept(), [former, current]);
  releases.removeOld(start + 148 * HOUR);
  assert.deepEqual(listKept(), [current]);
  assert.deepEqual(readdirSync(path.join(build, 'releases')), [current]);
  releases.removeOld(start + 1000 * HOUR);
  assert.equal(releases.readCurrent()?.id, current);
});

test('[OPS-22] at most twenty builds are kept, and the current one always', () => {
  const start = Date.parse('2026-01-01T10:00:00Z');
  const ids = Array.from({ length: 25 }, (_, index) => publish(start + index * 1000));
  releases.setCurrent(ids[0] ?? '');
  releases.removeOld(start + HOUR);
  assert.deepEqual(listKept(), [ids[0], ...ids.slice(-19)]);
});

test('[OPS-22] a process copies the assets of its build to another root', () => {
  const id = publish(Date.parse('2026-01-01T10:00:00Z'));
  const volume = path.join(base, 'volume');
  const elsewhere = new Releases(build, volume);
  assert.equal(elsewhere.readCurrent(), null);
  for (let starts = 0; starts < 2; starts += 1) elsewhere.adoptAssets(assets);
  assert.equal(elsewhere.readCurrent()?.id, id);
  assert.deepEqual(readdirSync(path.join(volume, id)), ['app.js']);
  assert.deepEqual(readdirSync(volume), [id]);
});

test('[OPS-22] records that a process uses its release', () => {
  publish(Date.parse('2026-01-01T10:00:00Z'));
  const current = releases.readCurrent() ?? assert.fail();
  recordUse(current, new Date('2026-03-01T10:00:00Z'));
  publish(Date.parse('2026-01-02T10:00:00Z'));
  releases.removeOld(Date.parse('2026-03-02T09:00:00Z'));
  assert.ok(existsSync(current.assetsDirectory));
  releases.removeOld(Date.parse('2026-03-02T11:00:00Z'));
  assert.ok(!existsSync(current.assetsDirectory));
});

test('[OPS-22] finds assets of former and later builds by their name alone', () => {
  publish(Date.parse('2026-01-01T10:00:00Z'), ['former.js', 'both.js']);
  publish(Date.parse('2026-01-02T10:00:00Z'), ['own.js', 'both.js']);
  const own = releases.readCurrent() ?? assert.fail();
  let now = 0;
  const found = new ReleaseAssets(assets, own.assetsDirectory, () => now);
  assert.equal(found.find('own.js'), own.assetsDirectory);
  assert.equal(found.find('both.js'), own.assetsDirectory);
  assert.notEqual(found.find('former.js'), null);
  for (const name of ['', '.', '..', `../${own.id}/own.js`, '../../secret', 'later.js'])
    assert.equal(found.find(name), null);
  publish(Date.parse('2026-01-03T10:00:00Z'), ['later.js']);
  assert.equal(found.find('later.js'), null, 'the disk is read once a second at most');
  now = 1_000;
  assert.notEqual(found.find('later.js'), null);
});
