import { Moment } from '#src/storefront/moment.tsx';
import { classNames } from '#src/ui/class-names.ts';
import type { ShownSetting } from '../../owner/contract.ts';
import type { PartHealth } from '../contract.ts';
import styles from './settings-page.module.css';

const PARTS = {
  database: 'Database',
  disk: 'Disk',
  chain: 'Chain source',
  rate: 'Bitcoin rate',
  mail: 'Mail',
  jobs: 'Jobs',
} as const satisfies Record<PartHealth['name'], string>;

/** What to do about a part that fails. `docs/operating.md` says more. */
const REMEDIES: Readonly<Record<PartHealth['name'], string>> = {
  database: 'Nothing can be stored. Check the database server and its disk.',
  disk: 'No new orders. Free some space, or move the data to a larger disk.',
  chain: 'Payments are detected later, and nothing expires. Check the node or server that CHAIN_SOURCE names.',
  rate: 'Prices use an older rate, or checkout is closed. Check that the server reaches the exchanges.',
  mail: 'Mails wait and are sent later. Check SMTP_URL and the mail server.',
  jobs: 'Mails and cleaning are late. Check the log of the server, and restart the shop if it goes on.',
};

/** What the moment of a part means; null if it says no more than `since`. */
function describeMoment({ is_ok: isOk, name }: PartHealth): string | null {
  if (name === 'rate') return 'rate of';
  if (name !== 'chain') return null;
  return isOk ? 'last read' : 'last reached';
}

/** State of the parts that the shop depends on, in the process that answered. */
export function Health({ parts }: { readonly parts: readonly PartHealth[] }) {
  return (
    <ul className={styles.parts}>
      {parts.map((part) => (
        <li key={part.name} className={styles.part}>
          <span>{PARTS[part.name]}</span>
          <span className={classNames(styles.state, part.is_ok ? styles.ok : styles.bad)}>{part.state}</span>
          <span className={styles.muted}>
            {part.since !== null && (
              <>
                since <Moment at={part.since} shows="moment" />
              </>
            )}
            {part.since !== null && part.at !== null && describeMoment(part) !== null && ', '}
            {part.at !== null && describeMoment(part) !== null && (
              <>
                {describeMoment(part)} <Moment at={part.at} shows="moment" />
              </>
            )}
          </span>
          {!part.is_ok && <span className={styles.remedy}>{REMEDIES[part.name]}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The environment of the server, read-only. */
export function Environment({ settings }: { readonly settings: readonly ShownSetting[] }) {
  return (
    <>
      <p className={styles.muted}>
        These come from the environment and .env of the server. Change them there and restart the shop. Secrets are
        masked.
      </p>
      <dl className={classNames(styles.list, styles.code)}>
        {settings.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={value === null ? styles.muted : undefined}>{value ?? 'not set'}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
