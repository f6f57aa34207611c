import { Icon } from '#src/web/ui/icons.tsx';
import styles from './steps.module.css';

export type Step = 1 | 2 | 3;

const NAMES = ['Order Details', 'Billing Details', 'Complete order'] as const;

function stateOf(number: number, current: Step): 'done' | 'current' | 'ahead' {
  if (number === current) return 'current';
  return number < current ? 'done' : 'ahead';
}

/** Where the buyer stands on the way. */
export function Steps({ current }: { readonly current: Step }) {
  return (
    <ol className={styles.steps}>
      {NAMES.map((name, index) => {
        const number = index + 1;
        return (
          <li
            key={name}
            className={styles.step}
            data-state={stateOf(number, current)}
            aria-current={number === current ? 'step' : undefined}
          >
            <span className={styles.number}>{number < current ? <Icon name="check" size={16} /> : number}</span>
            <span className={styles.name}>{name}</span>
          </li>
        );
      })}
    </ol>
  );
}
