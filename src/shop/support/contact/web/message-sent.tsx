import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Icon } from '#src/ui/icons.tsx';
import styles from './contact-page.module.css';

interface MessageSentProps {
  /** It takes the form's place: where it came with the page, nobody was anywhere else on it. */
  readonly isNew: boolean;
  readonly onMore: () => void;
}

/** Stands in the form's place once the message is with us. */
export function MessageSent({ isNew, onMore }: MessageSentProps) {
  const title = useRef<HTMLHeadingElement>(null);
  // Who sent it from further down sees, and hears, that it went.
  useEffect(() => {
    if (isNew) title.current?.focus();
  }, [isNew]);
  return (
    <section className={styles.sent} aria-labelledby="sent-title">
      <Icon name="check" size={32} />
      <h2 id="sent-title" ref={title} tabIndex={-1}>
        Your message has arrived
      </h2>
      <p>
        Thank you. We answer within one business day, at the email address that you gave. Nothing there by then? Please
        look into your spam folder.
      </p>
      <Link to="/contact" onClick={onMore} className={styles.more}>
        Write another message
      </Link>
    </section>
  );
}
