import { useEffect, useState } from 'react';
import { logError } from '../browser/log-error.ts';
import type { DrawnQr } from './draw-qr.ts';
import { Icon } from '../graphics/icons.tsx';
import styles from './qr-code.module.css';
import { Skeleton } from '../feedback/skeleton.tsx';
import { useCopy } from './use-copy.ts';

interface QrCodeProps {
  /** Upper case makes a smaller code if the content allows it. */
  readonly content: string;
  /** The content as text. */
  readonly label: string;
  /** Copied when the code is pressed. */
  readonly link: string;
  /** Accessible name of the button. */
  readonly copyLabel: string;
  /** Drawn by the server; later changes are drawn in the browser. */
  readonly drawn?: DrawnQr | undefined;
}

/** Fetches the encoder on demand. */
export function QrCode({ content, label, link, copyLabel, drawn }: QrCodeProps) {
  const [redrawn, setRedrawn] = useState<DrawnQr | null>(null);
  const { isCopied, copy } = useCopy(link);
  const current = drawn?.content === content ? drawn : redrawn;
  const isDrawn = current?.content === content;
  useEffect(() => {
    if (isDrawn) return undefined;
    let isCurrent = true;
    import('./draw-qr.ts')
      .then(({ drawQr }) => isCurrent && setRedrawn(drawQr(content)))
      .catch((error: unknown) => logError('the QR code was not drawn', error));
    return () => {
      isCurrent = false;
    };
  }, [content, isDrawn]);

  return (
    <figure className={styles.figure}>
      {current?.content === content ? (
        <button type="button" className={styles.button} aria-label={copyLabel} onClick={copy}>
          <svg
            className={styles.code}
            viewBox={`0 0 ${current.size} ${current.size}`}
            aria-hidden="true"
            shapeRendering="crispEdges"
          >
            <path d={current.path} />
          </svg>
          {isCopied && (
            <span className={styles.copied}>
              <Icon name="check" size={18} />
              Copied
            </span>
          )}
        </button>
      ) : (
        <Skeleton shape="block" />
      )}
      <figcaption className="visually-hidden">{label}</figcaption>
    </figure>
  );
}
