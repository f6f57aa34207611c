import { useEffect, useState } from 'react';
import { logFault } from '../log-fault.ts';
import styles from './qr-code.module.css';
import { Skeleton } from './skeleton.tsx';

interface QrCodeProps {
  /** Upper case makes a smaller code where the content allows it. */
  readonly content: string;
  /** What the code says, for those who cannot scan it. */
  readonly label: string;
}

const QUIET_ZONE = 2;

/** One path instead of a square a module. The encoder is fetched when a code is shown, not before. */
export function QrCode({ content, label }: QrCodeProps) {
  const [matrix, setMatrix] = useState<readonly (readonly boolean[])[] | null>(null);
  useEffect(() => {
    let isCurrent = true;
    import('uqr')
      .then(({ encode }) => isCurrent && setMatrix(encode(content, { ecc: 'M', border: QUIET_ZONE }).data))
      .catch((error: unknown) => logFault('the QR code was not drawn', error));
    return () => {
      isCurrent = false;
    };
  }, [content]);

  const size = matrix?.length ?? 1;
  const path = matrix?.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <figure className={styles.figure}>
      {matrix === null ? (
        <Skeleton shape="block" />
      ) : (
        <svg className={styles.code} viewBox={`0 0 ${size} ${size}`} aria-hidden="true" shapeRendering="crispEdges">
          <path d={path} />
        </svg>
      )}
      <figcaption className="visually-hidden">{label}</figcaption>
    </figure>
  );
}
