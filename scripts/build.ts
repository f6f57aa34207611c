/** `npm run build`: the bundles of the browser and the server, if they are stale. */
import { buildWhenStale } from './build-when-stale.ts';

if (!(await buildWhenStale())) console.log('The pages are built already.');
