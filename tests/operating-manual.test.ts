/** The examples of the operating manual are correct. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTemporaryDirectory } from './support/template.ts';

const manual = readFileSync('docs/operating.md', 'utf8');

/** The indented block that follows a text. */
function readBlockAfter(text: string): string {
  const lines = manual.slice(manual.indexOf(text)).split('\n').slice(2);
  const end = lines.findIndex((line) => !line.startsWith('        '));
  return lines
    .slice(0, end)
    .map((line) => `${line.slice(8)}\n`)
    .join('');
}

const hasCaddy = ((): boolean => {
  try {
    execFileSync('caddy', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test('the Caddyfile opens and closes its braces on lines of their own', () => {
  const lines = readBlockAfter('The whole `Caddyfile`:').trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^[\w.]+ \{$/);
  assert.equal(lines[1], '\treverse_proxy 127.0.0.1:3000');
  assert.deepEqual(lines.slice(2), ['}']);
});

test('Caddy accepts the Caddyfile and its format', { skip: hasCaddy ? false : 'needs caddy' }, () => {
  const directory = makeTemporaryDirectory();
  const file = join(directory, 'Caddyfile');
  writeFileSync(file, readBlockAfter('The whole `Caddyfile`:'));
  const adapted = execFileSync('caddy', ['adapt', '--adapter', 'caddyfile', '--config', file], { encoding: 'utf8' });
  assert.match(adapted, /"dial":"127\.0\.0\.1:3000"/);
  assert.equal(execFileSync('caddy', ['fmt', file], { encoding: 'utf8' }), readFileSync(file, 'utf8'));
  rmSync(directory, { recursive: true });
});
