import { ButtonLink } from '#src/ui/button.tsx';
import { Icon } from '#src/ui/icons.tsx';
import { SETUP_TEXTS } from '../../settings/setup-checklist.ts';
import type { SetupStepState } from '../../settings/contract.ts';
import styles from './setup-list.module.css';

/** The set-up checklist: what is done, and what is missing with the page to do it on. */
export function SetupList({ steps }: { readonly steps: readonly SetupStepState[] }) {
  const done = steps.filter((one) => one.is_done).length;
  const next = steps.find((one) => !one.is_done)?.step;
  return (
    <>
      <p className={styles.progress}>{`${done} of ${steps.length} done. This list disappears once all are done.`}</p>
      <ol className={styles.steps}>
        {steps.map(({ step, is_done: isDone }) => {
          const { action, text, title } = SETUP_TEXTS[step];
          return (
            <li key={step} className={styles.step}>
              <span className={styles.mark} data-done={isDone || undefined}>
                {isDone && <Icon name="check" size={18} />}
              </span>
              <div className={styles.text}>
                <h2>
                  {title}
                  <span className="visually-hidden">{isDone ? ', done' : ', missing'}</span>
                </h2>
                {!isDone && <p>{text}</p>}
              </div>
              {!isDone && action !== null && (
                <ButtonLink to={action.to} variant={step === next ? 'primary' : 'secondary'}>
                  {action.text}
                </ButtonLink>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}
