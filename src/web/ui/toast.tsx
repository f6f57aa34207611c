import { useEffect, useRef, useState } from 'react';
import { createStore } from '../store.ts';
import styles from './toast.module.css';

const SHOWN_MS = 2000;

interface ToastState {
  readonly id: number;
  readonly text: string;
  readonly detail: string | null;
  readonly tone: 'success' | 'error';
}

const toasts = createStore<ToastState>({ id: 0, text: '', detail: null, tone: 'success' });

/** Shows a message in the place of the one before, for two seconds. */
export function showToast(tone: 'success' | 'error', text: string, detail: string | null = null): void {
  toasts.update({ id: toasts.get().id + 1, text, detail, tone });
}

/** The one place where toasts appear; it stands above dialogs too. */
export function Toaster() {
  const toast = toasts.use((state) => state);
  const box = useRef<HTMLDivElement>(null);
  const [isHeld, setIsHeld] = useState(false);

  useEffect(() => {
    const element = box.current;
    if (!element || toast.id === 0) return;
    // Shown anew, it comes to the top, above a dialog that was opened meanwhile.
    if (element.matches(':popover-open')) element.hidePopover();
    element.showPopover();
  }, [toast]);

  useEffect(() => {
    if (toast.id === 0 || isHeld) return undefined;
    const timer = setTimeout(() => {
      if (box.current?.matches(':popover-open')) box.current.hidePopover();
    }, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);

  return (
    <div
      ref={box}
      popover="manual"
      role={toast.tone === 'error' ? 'alert' : 'status'}
      className={styles.toast}
      data-tone={toast.tone}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
    >
      <p className={styles.text}>{toast.text}</p>
      {toast.detail !== null && <p className={styles.detail}>{toast.detail}</p>}
    </div>
  );
}
