import { useEffect, useRef, useState } from 'react';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './product-preview.module.css';

interface ProductPreviewProps {
  readonly path: string;
  readonly name: string;
  /** Changes with everything saved that the preview shows. */
  readonly saved: string;
}

/** A reload keeps the place where the reader is. The frame may have gone to another page, which refuses to be framed. */
function loadAgain(frame: HTMLIFrameElement | null, path: string): void {
  const { location } = frame?.contentWindow ?? {};
  if (location?.pathname === path) location.reload();
  else location?.replace(path);
}

/** The page of a product as on a phone, beside its editor. Loads again when something was saved. */
export function ProductPreview({ path, name, saved }: ProductPreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const shown = useRef(saved);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (shown.current === saved) return;
    shown.current = saved;
    loadAgain(frame.current, path);
  }, [saved, path]);
  return (
    <aside className={classNames(styles.preview, 'screen-only')} aria-label="Preview">
      <p className="muted small">What is saved, as on a phone</p>
      <div className={styles.window}>
        {!isLoaded && <output className="muted small">Loading the preview…</output>}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox -- a page of the shop, with its scripts and session */}
        <iframe ref={frame} src={path} title={`Preview of ${name}`} onLoad={() => setLoaded(true)} />
      </div>
    </aside>
  );
}
