/**
 * Finds an asset by its name: in the release of this process, or in another one on this machine. A page of the former
 * release that is still open requests its assets, and during an update a page of the next one does. Names contain a hash
 * of the content, so a name means the same bytes in each release.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { listReleaseIds } from './releases.ts';

/** How often a missing name may cause a look at the disk. */
const LOOK_MS = 1_000;

export class ReleaseAssets {
  readonly ownDirectory: string;
  readonly #root: string;
  readonly #own: ReadonlySet<string>;
  readonly #now: () => number;
  /** Directory by name, of the other releases. */
  #others = new Map<string, string>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** @param now monotonic time in ms; for tests */
  constructor(root: string, ownDirectory: string, now = (): number => performance.now()) {
    this.#root = root;
    this.ownDirectory = ownDirectory;
    this.#own = new Set(listFiles(ownDirectory));
    this.#now = now;
  }

  /** The directory with a file of this name; null if no release has it. Only names of files are found, never paths. */
  find(name: string): string | null {
    if (this.#own.has(name)) return this.ownDirectory;
    if (!this.#others.has(name) && this.#now() - this.#lookedAt >= LOOK_MS) this.#look();
    return this.#others.get(name) ?? null;
  }

  #look(): void {
    this.#lookedAt = this.#now();
    const directories = listReleaseIds(this.#root).map((id) => path.join(this.#root, id));
    // Newer ones replace older ones.
    this.#others = new Map(directories.flatMap((directory) => listFiles(directory).map((name) => [name, directory])));
  }
}

function listFiles(directory: string): readonly string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    // Removed since it was listed.
    return [];
  }
}
