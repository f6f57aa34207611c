import styles from './order-actions.module.css';

/** Why an action of the buyer failed; nothing without a text. */
export function Failure({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p role="alert" className={styles.failure}>
      {text}
    </p>
  );
}
