/** `npm run build`: the bundles of the browser and the server, if they are stale. */
import { buildWhenStale } from './build-when-stale.ts';

const outcome = await buildWhenStale();
if (outcome === 'was-fresh') console.log('The pages are built already.');
if (outcome === 'failed') process.exitCode = 1;
