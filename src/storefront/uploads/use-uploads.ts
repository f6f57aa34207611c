import { useEffect, useRef, useState } from 'react';
import { isApiFailure, isRefusal } from '../api.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { describeFailure } from '../forms/describe-failure.ts';
import { reloadPage } from '../reload-page.ts';
import { uploadFile } from './upload-file.ts';
import type { UploadTarget } from './upload-file.ts';

export interface UploadItem {
  readonly id: number;
  readonly name: string;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'converting' | 'failed';
  /** Sent part, from 0 to 1. */
  readonly progress: number;
  /** Why it failed. */
  readonly message: string | null;
}

/** Somebody else changed what the file is for. The page then shows the change, and the next attempt is based on it. */
const isOutdated = (error: unknown): boolean => isApiFailure(error) && error.code === 'changed-meanwhile';
const OUTDATED = 'Somebody changed this meanwhile, and the page shows it now. Try again to upload the file.';

let lastId = 0;

/**
 * Uploads files one after the other. A finished file leaves the list; a failed one stays.
 * @param onUploaded with the response of the shop; the next file is sent once it resolves
 */
export function useUploads(target: UploadTarget, onUploaded: (response: unknown) => Promise<void> | void) {
  const [items, setItems] = useState<readonly UploadItem[]>([]);
  const queue = useRef<UploadItem[]>([]);
  const running = useRef<{ readonly id: number; readonly aborter: AbortController } | null>(null);
  const latest = useRef({ onUploaded, target });
  useEffect(() => {
    latest.current = { onUploaded, target };
  });

  const change = (id: number, changes: Partial<UploadItem>): void =>
    setItems((present) => present.map((item) => (item.id === id ? { ...item, ...changes } : item)));
  const drop = (id: number): void => setItems((present) => present.filter((item) => item.id !== id));

  const run = async (): Promise<void> => {
    if (running.current !== null) return;
    for (let next = queue.current.shift(); next !== undefined; next = queue.current.shift()) {
      const { id, file } = next;
      const aborter = new AbortController();
      running.current = { id, aborter };
      change(id, { state: 'sending', progress: 0, message: null });
      const onProgress = (share: number): void =>
        change(id, { progress: share, state: share < 1 ? 'sending' : 'converting' });
      try {
        const response = await uploadFile(file, latest.current.target, { onProgress, signal: aborter.signal });
        await latest.current.onUploaded(response);
        drop(id);
      } catch (error) {
        if (!isRefusal(error) && !aborter.signal.aborted) logError('a file could not be uploaded', error);
        if (isOutdated(error)) await reloadPage();
        const message = isOutdated(error) ? OUTDATED : describeFailure(error);
        if (!aborter.signal.aborted) change(id, { state: 'failed', message });
      }
    }
    running.current = null;
  };
  const enqueue = (added: readonly UploadItem[]): void => {
    queue.current.push(...added);
    void run();
  };

  useEffect(
    () => () => {
      queue.current = [];
      running.current?.aborter.abort();
    },
    [],
  );

  return {
    items,
    add: (files: readonly File[]): void => {
      const added = files.map((file): UploadItem => {
        lastId += 1;
        return { id: lastId, name: file.name, file, state: 'waiting', progress: 0, message: null };
      });
      setItems((present) => [...present, ...added]);
      enqueue(added);
    },
    retry: (item: UploadItem): void => {
      change(item.id, { state: 'waiting', message: null });
      enqueue([item]);
    },
    /** Cancels the upload or dismisses the failure. */
    remove: (id: number): void => {
      queue.current = queue.current.filter((item) => item.id !== id);
      if (running.current?.id === id) running.current.aborter.abort();
      drop(id);
    },
  };
}
