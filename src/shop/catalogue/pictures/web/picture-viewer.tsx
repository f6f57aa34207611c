import { useEffect, useRef, useState } from 'react';
import { listPictureWidths } from '#src/storefront/products/picture-files.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { createSources, Picture } from '#src/ui/graphics/picture.tsx';
import styles from './picture-viewer.module.css';
import { useZoom } from './use-zoom.ts';

interface ViewedPicture {
  readonly path: string;
  readonly alt: string;
}

export interface PictureViewerProps {
  /** What the pictures show. */
  readonly name: string;
  readonly pictures: readonly ViewedPicture[];
  /** The `sizes` that the page has loaded them with: shown until the larger file is loaded. */
  readonly loadedSizes: string;
  /** Position of the picture that is shown first. */
  readonly first: number;
  /** Called with the position of the picture that was shown last. */
  readonly onClose: (index: number) => void;
}

/** Pictures over the whole window, one at a time, which are zoomed and moved. */
export function PictureViewer({ name, pictures, loadedSizes, first, onClose }: PictureViewerProps) {
  const [index, setIndex] = useState(first);
  const dialog = useRef<HTMLDialogElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLUListElement>(null);
  const close = () => dialog.current?.close();
  const count = pictures.length;
  const zoom = useZoom({ stage, track, index, count, onShow: setIndex, onClose: close });
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={`Pictures of ${name}`}
      className={classNames('covers-page', styles.viewer)}
      onClose={() => onClose(index)}
      onKeyDown={zoom.press}
    >
      <div className={styles.bar}>
        <p className={classNames('tabular', styles.count)} aria-live="polite">
          {count > 1 && `${index + 1} of ${count}`}
        </p>
        <button
          type="button"
          className="round-target"
          aria-label={zoom.isZoomed ? 'Zoom out' : 'Zoom in'}
          onClick={zoom.toggle}
        >
          <Icon name={zoom.isZoomed ? 'minus' : 'plus'} />
        </button>
        <button type="button" className="round-target" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div
        ref={stage}
        className={styles.stage}
        // A press on it must not move the focus out of the dialog, which handles the keys.
        tabIndex={-1}
        data-zoomed={zoom.isZoomed || undefined}
        data-dragging={zoom.isDragging || undefined}
        {...zoom.handlers}
      >
        <ul ref={track} className={styles.track}>
          {pictures.map((picture, at) => (
            <li key={picture.path} data-shown={at === index || undefined} inert={at !== index}>
              {/* The neighbours are loaded before they are shown. */}
              {Math.abs(at - index) <= 1 && (
                <Slide
                  {...picture}
                  loadedSizes={loadedSizes}
                  isShown={at === index}
                  isZoomed={zoom.isZoomed}
                  onRetry={() => stage.current?.focus()}
                />
              )}
            </li>
          ))}
        </ul>
      </div>
      {count > 1 && <Pages pictures={pictures} index={index} onShow={zoom.show} />}
    </dialog>
  );
}

interface PagesProps extends Pick<PictureViewerProps, 'pictures'> {
  readonly index: number;
  readonly onShow: (index: number) => void;
}

/** Buttons for the next, the previous and each picture. */
function Pages({ pictures, index, onShow }: PagesProps) {
  const thumbs = useRef<HTMLOListElement>(null);
  useEffect(() => {
    thumbs.current?.children[index]?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [index]);
  return (
    <>
      <button
        type="button"
        className={classNames('round-target', styles.turn)}
        aria-label="Previous picture"
        disabled={index === 0}
        onClick={() => onShow(index - 1)}
      >
        <Icon name="chevronLeft" />
      </button>
      <button
        type="button"
        className={classNames('round-target', styles.turn)}
        aria-label="Next picture"
        disabled={index === pictures.length - 1}
        onClick={() => onShow(index + 1)}
      >
        <Icon name="chevronRight" />
      </button>
      <ol ref={thumbs} className={styles.thumbs}>
        {pictures.map(({ path }, at) => (
          <li key={path}>
            <button
              type="button"
              aria-label={`Show picture ${at + 1}`}
              aria-current={at === index || undefined}
              onClick={() => onShow(at)}
            >
              <Picture path={path} alt="" sizes="56px" width={56} height={56} />
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

interface SlideProps extends ViewedPicture, Pick<PictureViewerProps, 'loadedSizes'> {
  readonly isShown: boolean;
  readonly isZoomed: boolean;
  /** Called when the button that has the focus disappears. */
  readonly onRetry: () => void;
}

/** A picture in the largest file that the screen can show, while it loads, and if it cannot be loaded. */
function Slide({ path, alt, loadedSizes, isShown, isZoomed, onRetry }: SlideProps) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  if (state === 'failed')
    return (
      <div role="alert" className={styles.failed}>
        <p>The picture could not be loaded.</p>
        <Button
          variant="secondary"
          onClick={() => {
            setState('loading');
            onRetry();
          }}
        >
          Try again
        </Button>
      </div>
    );
  const widths = listPictureWidths(path);
  const width = Math.max(...widths);
  return (
    <>
      <img
        className="device"
        {...createSources(path, widths)}
        sizes={isZoomed ? '300vw' : '100vw'}
        alt={alt}
        width={width}
        height={width}
        draggable={false}
        onLoad={() => setState('loaded')}
        onError={() => setState('failed')}
      />
      {state === 'loading' && (
        <>
          {isShown && <Picture path={path} alt="" sizes={loadedSizes} />}
          <output className={styles.loading}>Loading picture</output>
        </>
      )}
    </>
  );
}
