/** `npm run build`: the bundles of the browser and the server, if they are stale. */
import { loadDotEnv, resolveAssetsRoot } from '#src/app/settings.ts';
import { buildWhenStale } from './build-when-stale.ts';

loadDotEnv();
const outcome = await buildWhenStale('engine', resolveAssetsRoot(process.env));
if (outcome === 'was-fresh') console.log('The pages are built already.');
if (outcome === 'failed') process.exitCode = 1;
