/** Stores pictures in a directory. A crash leaves whole files only, besides temporary ones. */
import { randomUUID } from 'node:crypto';
import { access, mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { computeDiskLevel, readFreeBytes } from '#src/platform/database/disk-space.ts';
import { isErrno } from '#src/platform/database/errno.ts';
import { TEMPORARY_SUFFIX } from './picture-files.ts';
import type { PictureStorage, StoredFile } from './storage.ts';
import { StorageFullError } from './storage.ts';

export class DiskStorage implements PictureStorage {
  readonly #directory: string;

  /** @param directory created with the first picture */
  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    const part = join(this.#directory, `${randomUUID()}${TEMPORARY_SUFFIX}`);
    try {
      const file = await open(part, 'wx', 0o644);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, this.#locate(name));
      await this.#syncDirectory();
    } catch (error) {
      await rm(part, { force: true });
      if (isErrno(error, 'ENOSPC', 'EDQUOT')) throw new StorageFullError('the disk is full');
      throw error;
    }
  }

  read(name: string): Promise<Buffer | null> {
    return readFile(this.#locate(name)).catch(ignoreMissing);
  }

  async has(name: string): Promise<boolean> {
    return (await access(this.#locate(name)).then(() => true, ignoreMissing)) ?? false;
  }

  remove(name: string): Promise<void> {
    return rm(this.#locate(name), { force: true });
  }

  async *list(): AsyncGenerator<StoredFile> {
    const directory = await opendir(this.#directory).catch(ignoreMissing);
    if (directory === null) return;
    for await (const entry of directory) {
      const found = entry.isFile() ? await stat(this.#locate(entry.name)).catch(ignoreMissing) : null;
      if (found !== null) yield { name: entry.name, changedAt: found.mtime };
    }
  }

  /** False from the level `low`: the database needs the rest. */
  async hasSpace(): Promise<boolean> {
    await mkdir(this.#directory, { recursive: true });
    return computeDiskLevel('ok', await readFreeBytes(this.#directory)) === 'ok';
  }

  /** Makes the rename survive a power loss. Windows cannot open directories. */
  async #syncDirectory(): Promise<void> {
    if (process.platform === 'win32') return;
    const directory = await open(this.#directory);
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }

  readonly #locate = (name: string): string => join(this.#directory, name);
}

function ignoreMissing(error: unknown): null {
  if (isErrno(error, 'ENOENT')) return null;
  throw error;
}
