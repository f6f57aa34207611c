/**
 * Converts uploaded pictures in a process of their own, one at a time. Accounts take turns, and customers wait behind
 * staff: many pictures of one account, or one each of many accounts, delay none of staff for more than one conversion
 * in four.
 */
import { spawn } from 'node:child_process';
import { resolve as resolvePath } from 'node:path';
import process from 'node:process';
import { FairQueue } from '#src/platform/fair-queue.ts';
import type { Log } from '#src/platform/process/log.ts';
import { decodeConverted, decodeRefusal, REFUSED } from './picture-files.ts';
import type { Conversion, ConvertedPicture, RefusedPicture } from './picture-files.ts';

/** A path from the project, since the shop may run from a bundle. */
const PROGRAM = resolvePath('src/platform/pictures/convert-process.ts');
/** A picture of 40 megapixels takes about ten seconds of one busy processor. */
const TIMEOUT_MS = 60_000;
/** Private pictures are those of customers, and are converted to JPEGs. */
const PRIVATE_TIMEOUT_MS = 20_000;
/** All files of a picture of noise together have about 3 MB. */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
const MAX_WAITING = 8;
const MAX_WAITING_PER_ACCOUNT = 4;
const CUSTOMER = 'customer:';

/** Whose picture it is. */
export interface Uploader {
  readonly id: string;
  readonly isCustomer: boolean;
}
/** Imports and icons of the shop. */
const SHOP: Uploader = { id: '', isCustomer: false };

export type ConversionResult =
  | { readonly ok: true; readonly picture: ConvertedPicture }
  /** `damaged`: the decoder refused it. `too-slow`: stopped. `busy`: too many pictures are waiting. */
  | { readonly ok: false; readonly reason: 'damaged' | 'too-slow' | 'busy' }
  /** Its header says that it may not be decoded. */
  | ({ readonly ok: false } & RefusedPicture);

export class PictureConverter {
  readonly #log: Log;
  readonly #queue = new FairQueue({
    concurrency: 1,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_ACCOUNT,
    isSuspect: (client) => client.startsWith(CUSTOMER),
  });

  constructor(log: Log) {
    this.#log = log;
  }

  async convert(bytes: Buffer, conversion: Conversion = 'picture', uploader = SHOP): Promise<ConversionResult> {
    const client = `${uploader.isCustomer ? CUSTOMER : 'staff:'}${uploader.id}`;
    return (await this.#queue.run(client, () => this.#run(bytes, conversion))) ?? { ok: false, reason: 'busy' };
  }

  #run(bytes: Buffer, conversion: Conversion): Promise<ConversionResult> {
    return new Promise((resolve, reject) => {
      const timeout = conversion === 'private' ? PRIVATE_TIMEOUT_MS : TIMEOUT_MS;
      // Without the environment of the shop, which holds its secrets.
      const options = { env: {}, timeout, killSignal: 'SIGKILL' } as const;
      const child = spawn(process.execPath, [PROGRAM, conversion], options);
      const output: Buffer[] = [];
      let [length, problem] = [0, ''];
      child.stdout.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_OUTPUT_BYTES) child.kill('SIGKILL');
        else output.push(chunk);
      });
      child.stderr.on('data', (chunk: Buffer) => (problem = `${problem}${chunk.toString()}`.slice(-2_000)));
      child.once('error', reject);
      child.once('close', (code, signal) => {
        const picture = code === 0 ? decodeConverted(Buffer.concat(output), conversion) : null;
        if (picture !== null) return resolve({ ok: true, picture });
        const refused = code === REFUSED ? decodeRefusal(Buffer.concat(output)) : null;
        if (refused !== null) return resolve({ ok: false, ...refused });
        this.#log.info({ code, signal, problem }, 'a picture could not be converted');
        return resolve({ ok: false, reason: signal === null ? 'damaged' : 'too-slow' });
      });
      // A process that ends early closes its input.
      child.stdin.on('error', () => {});
      child.stdin.end(bytes);
    });
  }
}
