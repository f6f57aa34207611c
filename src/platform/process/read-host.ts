/** What a process runs on. */
import { statfs } from 'node:fs/promises';
import process from 'node:process';

export interface Host {
  /** Version of Node. */
  readonly node: string;
  /** Such as `linux x64`. */
  readonly platform: string;
  readonly uptimeSeconds: number;
  /** Of the file system with the directory; null if it can't be measured. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null;
}

export async function readHost(directory: string): Promise<Host> {
  const disk = await statfs(directory).catch(() => null);
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    uptimeSeconds: Math.floor(process.uptime()),
    disk: disk && { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize },
  };
}
