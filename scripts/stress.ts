/** `npm run stress -- NAME`: starts one of the stress tests; `--help` lists them. */
import { runNamed } from './run-named.ts';

await runNamed('stress');
