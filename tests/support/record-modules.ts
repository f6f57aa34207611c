/** Preloaded by `--import`: appends the URL of each module that the process loads to RECORD_MODULES. */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const file = process.env['RECORD_MODULES'] ?? '';
if (file !== '') {
  registerHooks({
    load(url, context, nextLoad) {
      appendFileSync(file, `${url}\n`);
      return nextLoad(url, context);
    },
  });
}
