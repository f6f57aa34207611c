import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Icon } from '#src/ui/graphics/icons.tsx';
import styles from './contact-page.module.css';

interface MessageSentProps {
  /** Whether the message was sent on this page; moves the focus. False after a page load. */
  readonly isNew: boolean;
  readonly onMore: () => void;
}

/** Replaces the form once the message is stored. */
export function MessageSent({ isNew, onMore }: MessageSentProps) {
  const title = useRef<HTMLHeadingElement>(null);
  // Scrolls to the confirmation and moves the focus, so that it is seen and announced.
  useEffect(() => {
    if (isNew) title.current?.focus();
  }, [isNew]);
  return (
    <section className={styles.sent} aria-labelledby="sent-title">
      <Icon name="check" size={32} />
      <h2 id="sent-title" ref={title} tabIndex={-1}>
        Message received
      </h2>
      <p>We reply by email. If you don’t see a reply, check your spam folder.</p>
      <Link to="/contact" onClick={onMore} className={styles.more}>
        Send another message
      </Link>
    </section>
  );
}
