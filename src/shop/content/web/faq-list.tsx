import { Icon } from '#src/ui/graphics/icons.tsx';
import type { FaqItem } from '../faq/contract.ts';
import styles from './faq-list.module.css';

/** Accordion of questions and answers; at most one is open. */
export function FaqList({ items }: { readonly items: readonly FaqItem[] }) {
  return (
    <div className={styles.list}>
      {items.map(({ id, question, answer }) => (
        <details key={id} name="faq" className={styles.item}>
          <summary>
            <h3>{question}</h3>
            <Icon name="chevronDown" />
          </summary>
          <p>{answer}</p>
        </details>
      ))}
    </div>
  );
}
