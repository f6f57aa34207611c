import { Moment } from '#src/storefront/moment.tsx';
import { Button } from '#src/ui/button.tsx';
import { CopyButton } from '#src/ui/copy-button.tsx';
import actionStyles from '../../kit/actions.module.css';
import styles from './recovery-codes.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** When they replace the present ones. Null: they have. */
  readonly validFrom: string | null;
  /** The visitor has stored them. */
  readonly onStored: () => void;
}

/** New recovery codes. They are shown this once. */
export function RecoveryCodes({ codes, validFrom, onStored }: RecoveryCodesProps) {
  return (
    <section className={actionStyles.actions} aria-labelledby="recovery-title">
      <h2 id="recovery-title">Your recovery codes</h2>
      <p className={actionStyles.muted}>
        Store them where you find them without your phone. Each logs you in once without your passkey or app. They are
        not shown again.
        {validFrom !== null && (
          <span>
            {' '}
            They are valid from <Moment at={validFrom} shows="moment" />, unless you cancel the change; the present ones
            until then.
          </span>
        )}
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code translate="no">{code}</code>
          </li>
        ))}
      </ul>
      <div className={actionStyles.row}>
        <CopyButton text={codes.join('\n')} contentName="recovery codes" label="Copy recovery codes" />
        <Button variant="secondary" onClick={onStored}>
          I have stored them
        </Button>
      </div>
    </section>
  );
}
