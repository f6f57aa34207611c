/** `npm run build`: the bundles of the pages and of the shop's program, if they are stale. */
import { loadDotEnv, resolveAssetsRoot } from '#src/app/environment.ts';
import { buildWhenStale } from './build/build-when-stale.ts';

loadDotEnv();
const outcome = await buildWhenStale('engine', resolveAssetsRoot(process.env));
if (outcome === 'was-fresh') console.log('The shop is built already.');
if (outcome === 'failed') process.exitCode = 1;
