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
} as const satisfies Record<PartHealth['name'], string>;

/** What the moment of a part means. */
function describeMoment({ is_ok: isOk, name }: PartHealth): string {
  if (name === 'mail') return 'since';
  if (name === 'rate') return 'rate of';
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
          {part.at !== null && (
            <span className={styles.muted}>
              {describeMoment(part)} <Moment at={part.at} shows="moment" />
            </span>
          )}
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
