import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { toasts } from './show-toast.ts';
import styles from './toast.module.css';

const SHOWN_MS = 2000;

/** The one place where toasts appear. While a modal dialog is open it is in there: everything else is out of reach. */
export function Toaster() {
  const toast = toasts.use((state) => state);
  const box = useRef<HTMLDivElement>(null);
  const [heldId, setHeldId] = useState(0);
  const [goneId, setGoneId] = useState(0);
  const isShown = toast.id !== goneId;
  // Under the pointer: who reads it decides how long.
  const isHeld = toast.id === heldId;

  useEffect(() => {
    // A dialog that is taken off the page takes what is shown in it along, and says nothing of it.
    if (box.current?.isConnected === false) toasts.update({ dialog: null });
    else box.current?.togglePopover(isShown);
  });

  useEffect(() => {
    if (!isShown || isHeld) return undefined;
    const timer = setTimeout(() => setGoneId(toast.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast.id, isShown, isHeld]);

  const element = (
    <div
      // Each is a new one, so that it comes on top of whatever was opened meanwhile.
      key={toast.id}
      ref={box}
      popover="manual"
      role={toast.tone === 'error' ? 'alert' : 'status'}
      className={styles.toast}
      data-tone={toast.tone}
      onPointerEnter={() => setHeldId(toast.id)}
      onPointerLeave={() => setHeldId(0)}
    >
      <p className={styles.text}>{toast.text}</p>
      {toast.detail !== null && <p className={styles.detail}>{toast.detail}</p>}
    </div>
  );
  return toast.dialog ? createPortal(element, toast.dialog) : element;
}
