/** Where the files of uploaded pictures are stored. */

export interface StoredFile {
  readonly name: string;
  readonly changedAt: Date;
}

/** File names are those of `picture-files.ts`; a name always has the same content. */
export interface PictureStorage {
  /** Stores the whole file or nothing. Storing it again renews `changedAt`. @throws StorageFullError */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Null if there is none. */
  read(name: string): Promise<Buffer | null>;
  has(name: string): Promise<boolean>;
  /** Succeeds if there is none. */
  remove(name: string): Promise<void>;
  /** Every file, also those of uploads that were interrupted. */
  list(): AsyncIterable<StoredFile>;
  /** Whether there is space for pictures beside everything else. */
  hasSpace(): Promise<boolean>;
}

/** The disk is full. */
export class StorageFullError extends Error {
  override readonly name = 'StorageFullError';
}

/** The bucket does not respond, or refuses the request. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
}
