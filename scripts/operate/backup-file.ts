/** Reads and writes compressed backup files. Only the owner may read a file, and it is complete or absent. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { streamBackup } from '#src/platform/database/backup.ts';
import { decryptBackup, isEncryptedBackup } from '#src/platform/database/backup-encryption.ts';
import type { Db } from '#src/platform/database/database.ts';
import { DatabaseRefusedError } from '#src/platform/database/database-refused-error.ts';

const isExistingFile = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** @throws DatabaseRefusedError if the file exists */
export async function writeBackup(db: Db, file: string): Promise<{ readonly rows: number; readonly bytes: number }> {
  if (await isExistingFile(file)) throw new DatabaseRefusedError(`${file} exists already. Choose another file.`);
  const part = `${file}.part`;
  // An interrupted backup may have left it, perhaps with other permissions.
  await rm(part, { force: true });
  const lines = new PassThrough();
  const written = pipeline(lines, createGzip(), createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }));
  // If the disk is full, this ends the backup that is awaited below.
  written.catch((error: unknown) => lines.destroy(error instanceof Error ? error : undefined));
  try {
    const rows = await streamBackup(db, new Date(), (line) => writeText(lines, `${line}\n`));
    lines.end();
    await written;
    const { size: bytes } = await stat(part);
    await rename(part, file);
    return { rows, bytes };
  } catch (error) {
    lines.destroy();
    await written.catch(() => {});
    await rm(part, { force: true });
    throw error;
  }
}

function writeText(stream: PassThrough, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (stream.destroyed)
      reject(new DatabaseRefusedError('The backup could not be written. Check the free disk space.'));
    else stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

async function readStart(file: string): Promise<Buffer> {
  let start = '';
  for await (const chunk of createReadStream(file, { end: 63, encoding: 'latin1' })) start += String(chunk);
  return Buffer.from(start, 'latin1');
}

/**
 * Reads the lines of a backup.
 * @param askPassphrase of a file that was encrypted
 * @throws DatabaseRefusedError if the file is not compressed or is truncated, or the passphrase is wrong
 */
export async function* readBackup(file: string, askPassphrase: () => Promise<string>): AsyncGenerator<string> {
  if (!(await isExistingFile(file))) throw new DatabaseRefusedError(`There is no file ${file}.`);
  const passphrase = isEncryptedBackup(await readStart(file)) ? await askPassphrase() : null;
  const stored = createReadStream(file);
  const text = new PassThrough();
  const read = pipeline(passphrase === null ? stored : decryptBackup(stored, passphrase), createGunzip(), text);
  read.catch(() => {});
  try {
    // Not readline, which also splits at U+2028 and U+2029.
    let rest = '';
    for await (const chunk of text.setEncoding('utf8')) {
      const lines = `${rest}${String(chunk)}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    await read;
  } catch (error) {
    if (error instanceof DatabaseRefusedError) throw error;
    throw new DatabaseRefusedError('This backup is damaged or truncated. Nothing was restored.');
  }
}
