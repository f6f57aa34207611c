import { Icon } from '#src/ui/graphics/icons.tsx';
import styles from './steps.module.css';

export type Step = 1 | 2 | 3;

const NAMES = ['Order Details', 'Billing Details', 'Complete order'] as const;

function getState(number: number, current: Step | null): 'done' | 'current' | 'ahead' {
  if (number === current) return 'current';
  return current === null || number < current ? 'done' : 'ahead';
}

/**
 * Progress of the checkout.
 * @param current null: all steps are done
 */
export function Steps({ current }: { readonly current: Step | null }) {
  return (
    <ol className={styles.steps}>
      {NAMES.map((name, index) => {
        const number = index + 1;
        const state = getState(number, current);
        return (
          <li
            key={name}
            className={styles.step}
            data-state={state}
            aria-current={state === 'current' ? 'step' : undefined}
          >
            <span className={styles.number}>{state === 'done' ? <Icon name="check" size={16} /> : number}</span>
            <span className="unbroken">{name}</span>
          </li>
        );
      })}
    </ol>
  );
}
