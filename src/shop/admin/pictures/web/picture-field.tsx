import type { DragEvent } from 'react';
import { useId, useState } from 'react';
import { Button } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { toPictureUrl } from '#src/shop/pictures/picture-url.ts';
import type { UploadedPicture } from '#src/shop/pictures/contract.ts';
import { UploadArea } from '#src/storefront/uploads/upload-area.tsx';
import { PICTURE_FORMATS } from '#src/storefront/uploads/upload-file.ts';
import type { UploadTarget } from '#src/storefront/uploads/upload-file.ts';
import { addPictures } from '../order-pictures.ts';
import type { PictureValue } from '../order-pictures.ts';
import { LibraryDialog } from './library-dialog.tsx';
import styles from './picture-field.module.css';
import { usePictureList } from './use-picture-list.ts';

const MAX_ALT_LENGTH = 300;
/** Type of a dragged picture; files have another one. */
const DRAGGED = 'application/x-picture-position';
const DEFAULT_MAXIMUM = 20;
const LIBRARY: UploadTarget = { path: '/pictures', maxMb: 20, ...PICTURE_FORMATS };

const isPicture = (response: unknown): response is UploadedPicture =>
  typeof response === 'object' && response !== null && 'path' in response;

interface PictureFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** Error message, such as that a picture is missing. */
  readonly message?: string | null;
  readonly value: readonly PictureValue[];
  readonly onChange: (value: readonly PictureValue[]) => void;
  /** 1 for a single picture, such as a logo. */
  readonly maximum?: number;
  /** Whether each picture has an alternative text of its own; a logo has the name of its shop. */
  readonly hasAlt?: boolean;
  /** Whether pictures that were uploaded before can be chosen. */
  readonly hasLibrary?: boolean;
  /** Called besides `onChange`, with what the library knows about the picture. */
  readonly onUploaded?: (picture: UploadedPicture) => void;
}

function getButtonLabel(isSingle: boolean, count: number): string {
  if (!isSingle) return 'Add pictures';
  return count > 0 ? 'Replace picture' : 'Add picture';
}

const isDraggedPicture = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(DRAGGED);

/** Pictures of a form: uploaded by drop or file dialog, ordered by buttons or drag, with alternative texts. */
export function PictureField(props: PictureFieldProps) {
  const { label, hint, message = null, value, onChange, maximum = DEFAULT_MAXIMUM, onUploaded } = props;
  const { hasAlt = true, hasLibrary = true } = props;
  const id = useId();
  const isSingle = maximum === 1;
  const { list, removed, status, setStatus, move, remove, undo, forget } = usePictureList(value, onChange);
  const notes = [message !== null && `${id}-message`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ');
  const fullMessage =
    !isSingle && value.length >= maximum ? `There can be ${maximum} pictures. Remove one first.` : null;
  const add = (picture: UploadedPicture): void => {
    setStatus('The picture was added');
    // The removed picture has no place any more.
    if (isSingle) forget();
    onChange(addPictures(value, [{ path: picture.path, alt: picture.alt }], maximum));
    onUploaded?.(picture);
  };
  return (
    <Stack
      as="fieldset"
      gap={12}
      data-invalid={message !== null}
      {...(message !== null && { 'data-problem': true, tabIndex: -1 })}
      aria-describedby={notes === '' ? undefined : notes}
    >
      <legend className={classNames('small strong', styles.legend)}>{label}</legend>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="muted small measure">
          {hint}
        </p>
      )}
      <Stack ref={list} gap={12} className="hide-empty">
        {value.length > 0 && (
          <Stack as="ol" gap={12} className={styles.pictures}>
            {value.map((picture, position) => (
              <PictureItem
                key={picture.path}
                picture={picture}
                position={position}
                count={value.length}
                isSingle={isSingle}
                hasAlt={hasAlt}
                onMove={move}
                onRemove={() => remove(position)}
                onAlt={(alt) => onChange(value.with(position, { ...picture, alt }))}
              />
            ))}
          </Stack>
        )}
        {removed !== null && (
          <Row as="p" gap={8}>
            The picture was removed.
            <Button variant="quaternary" onClick={undo} data-undo="">
              Undo
            </Button>
          </Row>
        )}
      </Stack>
      <UploadArea
        target={LIBRARY}
        button={getButtonLabel(isSingle, value.length)}
        isSingle={isSingle}
        fullMessage={fullMessage}
        describedBy={message === null ? undefined : `${id}-message`}
        onUploaded={(response) => {
          if (isPicture(response)) add(response);
        }}
      />
      {hasLibrary && <LibraryButton label={label} isFull={fullMessage !== null} onChosen={add} />}
      <output className="visually-hidden">{status}</output>
      {message !== null && (
        <p id={`${id}-message`} className="danger small">
          {message}
        </p>
      )}
    </Stack>
  );
}

interface LibraryButtonProps {
  readonly label: string;
  readonly isFull: boolean;
  readonly onChosen: (picture: UploadedPicture) => void;
}

function LibraryButton({ label, isFull, onChosen }: LibraryButtonProps) {
  const isHydrated = useHydrated();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <Button variant="tertiary" disabled={!isHydrated || isFull} onClick={() => setIsOpen(true)}>
        Choose from library
        <span className="visually-hidden"> for {label}</span>
      </Button>
      {isOpen && (
        <LibraryDialog
          isOpen
          onClose={() => setIsOpen(false)}
          onChosen={(picture) => {
            setIsOpen(false);
            onChosen(picture);
          }}
        />
      )}
    </div>
  );
}

/** A thumbnail as large as its box. Pictures of the demo shop have other widths than those of the library. */
export function Thumbnail({ picture: { path, alt, widths } }: { readonly picture: PictureValue }) {
  const isCatalogue = path.startsWith('/images/') && path.endsWith('.avif') && widths?.includes(640) !== false;
  if (isCatalogue && widths?.includes(320) !== false)
    return <Picture className="contain" path={path} alt={alt} sizes="120px" />;
  return <img className="contain" src={toPictureUrl(path)} alt={alt} loading="lazy" />;
}

interface PictureItemProps {
  readonly picture: PictureValue;
  readonly position: number;
  readonly count: number;
  readonly isSingle: boolean;
  readonly hasAlt: boolean;
  readonly onMove: (from: number, to: number, button: 'earlier' | 'later' | null) => void;
  readonly onRemove: () => void;
  readonly onAlt: (alt: string) => void;
}

function PictureItem({ picture, position, count, isSingle, hasAlt, onMove, onRemove, onAlt }: PictureItemProps) {
  const [isOver, setIsOver] = useState(false);
  const name = isSingle ? 'picture' : `picture ${position + 1}`;
  return (
    <li data-position={position}>
      <Row
        gap={16}
        align="start"
        className={styles.picture}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          if (!isDraggedPicture(event)) return;
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          if (!isDraggedPicture(event)) return;
          event.preventDefault();
          setIsOver(false);
          onMove(Number(event.dataTransfer.getData(DRAGGED)), position, null);
        }}
      >
        <div
          className={styles.thumbnail}
          draggable={!isSingle}
          onDragStart={(event) => {
            event.dataTransfer.setData(DRAGGED, String(position));
            event.dataTransfer.effectAllowed = 'move';
          }}
        >
          <Thumbnail picture={picture} />
          {!isSingle && position === 0 && <span className={styles.main}>Main picture</span>}
        </div>
        <Stack gap={8} className={styles.edit}>
          {hasAlt && (
            <Field
              label={isSingle ? 'Alternative text' : `Alternative text of picture ${position + 1}`}
              hint={position === 0 ? 'Describes the picture for people who do not see it.' : undefined}
              value={picture.alt}
              maxLength={MAX_ALT_LENGTH}
              onChange={(event) => onAlt(event.target.value)}
            />
          )}
          <Row gap={8}>
            {!isSingle && (
              <>
                <Button
                  variant="tertiary"
                  className={styles.icon}
                  disabled={position === 0}
                  data-move="earlier"
                  aria-label={`Move ${name} earlier`}
                  onClick={() => onMove(position, position - 1, 'earlier')}
                >
                  <Icon name="chevronLeft" size={18} />
                </Button>
                <Button
                  variant="tertiary"
                  className={styles.icon}
                  disabled={position === count - 1}
                  data-move="later"
                  aria-label={`Move ${name} later`}
                  onClick={() => onMove(position, position + 1, 'later')}
                >
                  <Icon name="chevronRight" size={18} />
                </Button>
              </>
            )}
            <Button variant="quaternary" data-remove="" aria-label={`Remove ${name}`} onClick={onRemove}>
              <Icon name="trash" size={18} />
              Remove
            </Button>
          </Row>
        </Stack>
      </Row>
    </li>
  );
}
