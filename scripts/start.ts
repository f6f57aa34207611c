/** `npm start`: builds the shop if its build is stale, then runs it in this process. */
import process from 'node:process';
import { isStartedByNpm, onStopRequest } from '#src/platform/process/stop-requests.ts';
import { loadDotEnv, resolveAssetsRoot } from '#src/app/environment.ts';
import { buildWhenStale } from './build/build-when-stale.ts';
import { loadShop } from './build/load-shop.ts';

if (process.argv.length > 2) {
  process.stderr.write('Usage: npm start, without arguments. Settings are read from the environment and from .env.\n');
  process.exit(2);
}
const removeStopListener = onStopRequest({ isStartedByNpm: isStartedByNpm(process.env) }, () => process.exit(1));
loadDotEnv();
const renderer = process.env['PAGES'] === 'stock' ? 'stock' : 'engine';
const assetsRoot = resolveAssetsRoot(process.env);
if ((await buildWhenStale(renderer, assetsRoot)) === 'failed') process.exit(1);
// React chooses its slow development build without it.
process.env.NODE_ENV = 'production';
const { startShop } = await loadShop(renderer, assetsRoot);
removeStopListener();
await startShop(process.env);
