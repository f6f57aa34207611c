/** `npm start`: builds the pages if they are stale, then runs the shop in this process. */
import { buildWhenStale } from './build-when-stale.ts';

if ((await buildWhenStale()) === 'failed') process.exit(1);
// React chooses its slow development build without it.
process.env.NODE_ENV = 'production';
const { startShop } = await import('#src/main.ts');
await startShop(process.env);
