/** What `npm start` reads from the environment before it loads the program. Imports little, since both stay in memory. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { DEFAULT_ASSETS_ROOT } from '#src/platform/pages/releases.ts';

/** Loads `.env` of the working directory into the environment. Variables that are already set win. */
export function loadDotEnv(): void {
  if (existsSync('.env')) loadEnvFile('.env');
}

/** The directory with the assets of all releases, which a build needs before the other settings are read. */
export const resolveAssetsRoot = ({ ASSETS_DIR }: { readonly ASSETS_DIR?: string | undefined }): string =>
  resolve(ASSETS_DIR || DEFAULT_ASSETS_ROOT);
