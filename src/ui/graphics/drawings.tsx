import type { ReactNode } from 'react';
import styles from './drawings.module.css';

/** Line drawings of empty places. Decorative: the text beside them says the same. */
function Drawing({ children }: { readonly children: ReactNode }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 120 96" aria-hidden="true">
      <ellipse className={styles.ground} cx="60" cy="86" rx="46" ry="5" />
      {children}
    </svg>
  );
}

export const BagDrawing = () => (
  <Drawing>
    <path className={styles.paper} d="M36 32h48l6 54H30z" />
    <path d="M48 40v-9a12 12 0 0 1 24 0v9" />
    <path className={styles.faint} d="M50 62h20M56 70h8" />
  </Drawing>
);

export const ParcelDrawing = () => (
  <Drawing>
    <path className={styles.paper} d="M26 40 60 26l34 14v34L60 88 26 74z" />
    <path d="m26 40 34 14 34-14M60 54v34" />
    <path className={styles.faint} d="m43 33 34 14v12" />
    <path className={styles.faint} d="M36 64l12 5" />
  </Drawing>
);

export const ChatDrawing = () => (
  <Drawing>
    <path
      className={styles.paper}
      d="M28 18h48a8 8 0 0 1 8 8v22a8 8 0 0 1-8 8H48L36 66V56h-8a8 8 0 0 1-8-8V26a8 8 0 0 1 8-8z"
    />
    <path className={styles.faint} d="M34 32h36M34 42h22" />
    <path
      className={styles.paper}
      d="M62 64h30a7 7 0 0 0 7-7V46a7 7 0 0 1 7 7v19a7 7 0 0 1-7 7v8l-10-8H69a7 7 0 0 1-7-7z"
    />
  </Drawing>
);
