import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Of the release, as package.json names it. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(resolve('package.json'), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null;
  return typeof version === 'string' ? version : 'unknown';
}
