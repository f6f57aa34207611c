import { useEffect, useState } from 'react';
import { logError } from './log-error.ts';
import type { DrawnQr } from './draw-qr.ts';
import { Icon } from './icons.tsx';
import styles from './qr-code.module.css';
import { Skeleton } from './skeleton.tsx';
import { useCopy } from './use-copy.ts';

interface QrCodeProps {
  /** Upper case makes a smaller code where the content allows it. */
  readonly content: string;
  /** What the code says, for those who cannot scan it. */
  readonly label: string;
  /** Copied by a press on the code. */
  readonly link: string;
  /** What is copied, as the accessible name of the code's button. */
  readonly copyLabel: string;
  /** As the server has drawn it; what changes afterwards is drawn here. */
  readonly drawn?: DrawnQr | undefined;
}

/** The encoder is fetched when a code is shown, not before. */
export function QrCode({ content, label, link, copyLabel, drawn }: QrCodeProps) {
  const [own, setOwn] = useState<DrawnQr | null>(null);
  const { isCopied, copy } = useCopy(link);
  const known = drawn?.content === content ? drawn : own;
  const isDrawn = known?.content === content;
  useEffect(() => {
    if (isDrawn) return undefined;
    let isCurrent = true;
    import('./draw-qr.ts')
      .then(({ drawQr }) => isCurrent && setOwn(drawQr(content)))
      .catch((error: unknown) => logError('the QR code was not drawn', error));
    return () => {
      isCurrent = false;
    };
  }, [content, isDrawn]);

  return (
    <figure className={styles.figure}>
      {known?.content === content ? (
        <button type="button" className={styles.button} aria-label={copyLabel} onClick={copy}>
          <svg
            className={styles.code}
            viewBox={`0 0 ${known.size} ${known.size}`}
            aria-hidden="true"
            shapeRendering="crispEdges"
          >
            <path d={known.path} />
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
