import actionStyles from '../../kit/actions.module.css';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import styles from './form-fields.module.css';

interface PromotionStatusProps {
  readonly code: string;
  readonly isActive: boolean;
  readonly onToggle: () => Promise<void>;
}

/** Enables or disables a promotion at once. */
export function PromotionStatus({ code, isActive, onToggle }: PromotionStatusProps) {
  return (
    <section className={actionStyles.actions} aria-labelledby="status-title">
      <h2 id="status-title" className={styles.title}>
        Status
      </h2>
      <p className={actionStyles.muted}>
        {isActive ? 'Enabled: customers can use the code on its dates.' : 'Disabled: nobody can use the code.'}
      </p>
      {isActive ? (
        <ConfirmedAction
          key="disable"
          button="Disable promotion"
          question={`Disable ${code}?`}
          meaning={<p>Its code is refused from the next checkout on. Orders that used it keep their discount.</p>}
          confirm="Disable promotion"
          done="Promotion disabled"
          onConfirm={onToggle}
        />
      ) : (
        <ConfirmedAction
          key="enable"
          button="Enable promotion"
          question={`Enable ${code}?`}
          meaning={<p>Customers can use its code again within its dates and limits.</p>}
          confirm="Enable promotion"
          done="Promotion enabled"
          onConfirm={onToggle}
        />
      )}
    </section>
  );
}
