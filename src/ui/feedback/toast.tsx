import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { toasts } from './show-toast.ts';
import styles from './toast.module.css';

const SHOWN_MS = 2000;

/** Container of the toasts; inside the modal dialog while one is open, since the rest is inert. */
export function Toaster() {
  const toast = toasts.use((state) => state);
  const box = useRef<HTMLDivElement>(null);
  const [heldId, setHeldId] = useState(0);
  const [goneId, setGoneId] = useState(0);
  const isShown = toast.id !== goneId;
  // Stays while the pointer is over it.
  const isHeld = toast.id === heldId;

  useEffect(() => {
    // Removing a dialog removes the toast in it without an event.
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
      // A new element each time, so it is on top of anything opened in the meantime.
      key={toast.id}
      ref={box}
      popover="manual"
      role={toast.tone === 'error' ? 'alert' : 'status'}
      className={styles.toast}
      data-tone={toast.tone}
      onPointerEnter={() => setHeldId(toast.id)}
      onPointerLeave={() => setHeldId(0)}
    >
      <p className="strong">{toast.text}</p>
      {toast.detail !== null && <p className="muted small">{toast.detail}</p>}
    </div>
  );
  return toast.dialog ? createPortal(element, toast.dialog) : element;
}
