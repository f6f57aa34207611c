import { drawCode128 } from '../code-128.ts';
import styles from './barcode.module.css';

const HEIGHT = 40;

/** A text as a bar code that scanners read, with the text below it. */
export function Barcode({ text }: { readonly text: string }) {
  const { bars, width } = drawCode128(text);
  return (
    <figure className={styles.figure}>
      <svg className={styles.code} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true" shapeRendering="crispEdges">
        <path d={bars.map((bar) => `M${bar.x} 0h${bar.width}v${HEIGHT}h-${bar.width}z`).join('')} />
      </svg>
      <figcaption translate="no" className={styles.text}>
        {text}
      </figcaption>
    </figure>
  );
}
