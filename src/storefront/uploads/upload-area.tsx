import type { DragEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/ui/controls/button.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Row } from '#src/ui/layout/row.ts';
import { useEventCallback } from '#src/ui/react/use-event-callback.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './upload-area.module.css';
import type { UploadTarget } from './upload-file.ts';
import { useUploads } from './use-uploads.ts';
import type { UploadItem } from './use-uploads.ts';

interface UploadAreaProps {
  readonly target: UploadTarget;
  /** Label of the button. */
  readonly button: string;
  readonly isSingle: boolean;
  /** Why no more files can be added. Null if they can. */
  readonly fullMessage: string | null;
  /** Id of the error message of the field. */
  readonly describedBy?: string | undefined;
  /** Files that were chosen elsewhere, which are uploaded at once. */
  readonly takeChosen?: () => readonly File[];
  /** With the response of the shop. */
  readonly onUploaded: (response: unknown) => Promise<void> | void;
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** A place to drop files on, a button that opens the file dialog, and the progress of each file. */
export function UploadArea({ target, button, isSingle, fullMessage, describedBy, ...rest }: UploadAreaProps) {
  const { onUploaded, takeChosen } = rest;
  const isHydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const { items, add, retry, remove } = useUploads(target, onUploaded);
  const addChosen = useEventCallback(() => add(takeChosen?.() ?? []));
  // A microtask, since development mounts each component twice, and the first unmount ends its uploads.
  useEffect(() => queueMicrotask(addChosen), [addChosen]);
  const isFull = fullMessage !== null;
  const take = (files: FileList | null): void => {
    const chosen = [...(files ?? [])];
    add(isSingle ? chosen.slice(0, 1) : chosen);
  };
  return (
    <Stack gap={12}>
      <Stack
        gap={8}
        className={styles.area}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          if (!hasFiles(event) || isFull) return;
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          setIsOver(false);
          if (!isFull) take(event.dataTransfer.files);
        }}
      >
        <Button
          variant="secondary"
          disabled={!isHydrated || isFull}
          onClick={() => input.current?.click()}
          aria-describedby={describedBy}
        >
          <Icon name="plus" size={18} />
          {button}
        </Button>
        <p className="muted small measure">
          {fullMessage ?? `or drop ${isSingle ? 'a file' : 'files'} here. ${target.formats}, up to ${target.maxMb} MB.`}
        </p>
        <input
          ref={input}
          type="file"
          accept={target.accept}
          multiple={!isSingle}
          hidden
          onChange={(event) => {
            take(event.target.files);
            // The same file can be chosen again.
            event.target.value = '';
          }}
        />
        <NeedsScript />
      </Stack>
      {items.length > 0 && (
        <Stack as="ul" gap={8} aria-label="Uploads">
          {items.map((item) => (
            <UploadRow key={item.id} item={item} onRetry={() => retry(item)} onRemove={() => remove(item.id)} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

const STATES = { waiting: 'Waiting', sending: 'Uploading', converting: 'Converting', failed: 'Not uploaded' } as const;

interface UploadRowProps {
  readonly item: UploadItem;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
}

function UploadRow({ item, onRetry, onRemove }: UploadRowProps) {
  const { name, state, progress, message } = item;
  const isFailed = state === 'failed';
  return (
    <li className={styles.item}>
      <Row rowGap={0} justify="between">
        <span className="wrap-anywhere">{name}</span>
        <span className="muted small tabular">
          {STATES[state]}
          {state === 'sending' && <span>{` ${Math.floor(progress * 100)} %`}</span>}
        </span>
      </Row>
      {!isFailed && (
        <progress
          className={styles.progress}
          aria-label={`${name}: ${STATES[state]}`}
          {...(state === 'converting' ? {} : { value: progress, max: 1 })}
        />
      )}
      {message !== null && (
        <p role="alert" className={classNames('danger small', styles.failure)}>
          {message}
        </p>
      )}
      <Row gap={8} className={styles.buttons}>
        {isFailed && (
          <Button variant="quaternary" onClick={onRetry} aria-label={`Try again: ${name}`}>
            Try again
          </Button>
        )}
        <Button variant="quaternary" onClick={onRemove} aria-label={`${isFailed ? 'Dismiss' : 'Cancel'}: ${name}`}>
          {isFailed ? 'Dismiss' : 'Cancel'}
        </Button>
      </Row>
    </li>
  );
}
