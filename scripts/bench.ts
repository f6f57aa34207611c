/** `npm run bench -- NAME`: starts one of the benchmarks; `--help` lists them. */
import { runNamed } from './run-named.ts';

await runNamed('bench');
