import { Link } from 'react-router';
import type { Area } from '#src/shop/permissions.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Grid } from '#src/ui/layout/grid.ts';
import type { ShownSetting } from '#src/shop/shop-settings/environment/contract.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import type { PartHealth } from '../contract.ts';
import { getPartTone, PART_NAMES } from '../describe-health.ts';
import type { PartTone } from '../describe-health.ts';
import styles from './settings-page.module.css';

const TONES: Readonly<Record<PartTone, string>> = { good: 'success', bad: 'danger', neutral: 'muted' };

interface Remedy {
  /** What the failure means for the shop. */
  readonly effect: string;
  readonly action: string;
  /** Where to act or to see more; only for those who may open it. */
  readonly link: { readonly to: string; readonly text: string; readonly area: Area } | null;
  /** Section of the operating manual, `docs/operating.md`. */
  readonly section: string;
}

const ENVIRONMENT = {
  to: '/admin/settings/system#environment',
  text: 'Show the environment',
  area: 'settings-changes',
} as const;

/** What to do about a part that fails. */
const REMEDIES: Readonly<Record<PartHealth['name'], Remedy>> = {
  database: {
    effect: 'Nothing can be stored.',
    action: 'Check the database server and its disk.',
    link: ENVIRONMENT,
    section: 'When it does not start',
  },
  disk: {
    effect: 'No new orders are accepted.',
    action: 'Free some space, or move the data to a larger disk.',
    link: ENVIRONMENT,
    section: 'Watching',
  },
  chain: {
    effect: 'Payments are detected later, and nothing expires.',
    action: 'Check the node or server that CHAIN_SOURCE names.',
    link: { to: '/admin/chain', text: 'Show the chain', area: 'payments' },
    section: 'The chain',
  },
  rate: {
    effect: 'Prices use an older rate, or checkout is closed.',
    action: 'Check that the server reaches the exchanges.',
    link: ENVIRONMENT,
    section: 'The rate',
  },
  mail: {
    effect: 'Mails wait and are sent later.',
    action: 'Check SMTP_URL and the mail server.',
    link: ENVIRONMENT,
    section: 'Mail',
  },
  jobs: {
    effect: 'Mails and cleaning are late.',
    action: 'Check the log of the server, and restart the shop if jobs stay behind.',
    link: null,
    section: 'Watching',
  },
};

function PartRemedy({ name }: Pick<PartHealth, 'name'>) {
  const { action, effect, link, section } = REMEDIES[name];
  const mayOpen = useMayUse(link?.area ?? 'settings');
  return (
    <p className="whole-row">
      {effect} {action}{' '}
      {link !== null && mayOpen && (
        <span>
          <Link to={link.to}>{link.text}</Link>.{' '}
        </span>
      )}
      <span className="muted measure">Operating manual: “{section}”.</span>
    </p>
  );
}

/** What the moment of a part means; null if it says no more than `since`. */
function describeMoment({ is_ok: isOk, name }: PartHealth): string | null {
  if (name === 'rate') return 'rate of';
  if (name !== 'chain') return null;
  return isOk ? 'last read' : 'last reached';
}

/** State of the parts that the shop depends on, in the process that answered. */
export function Health({ parts }: { readonly parts: readonly PartHealth[] }) {
  return (
    <Stack as="ul" gap={8}>
      {parts.map((part) => (
        <Grid as="li" key={part.name} foldsAt={767} rowGap={4} surface="soft-small" className={styles.part}>
          <span>{PART_NAMES[part.name]}</span>
          <span className={classNames('strong', TONES[getPartTone(part)])}>{part.state}</span>
          <span className={classNames('muted', styles.since)}>
            since <Moment at={part.since} shows="moment" />
            {part.at !== null && describeMoment(part) !== null && (
              <span>
                , {describeMoment(part)} <Moment at={part.at} shows="moment" />
              </span>
            )}
          </span>
          {!part.is_ok && <PartRemedy name={part.name} />}
        </Grid>
      ))}
    </Stack>
  );
}

/** The environment of the server, read-only. */
export function Environment({ settings }: { readonly settings: readonly ShownSetting[] }) {
  return (
    <>
      <p className="muted measure">
        These come from the environment and .env of the server. Change them there and restart the shop. Secrets are
        masked.
      </p>
      <Facts layout="beside" className={styles.code}>
        {settings.map(({ name, value }) => (
          <Fact key={name} label={name} className={value === null ? 'muted' : 'multiline'}>
            {value ?? 'not set'}
          </Fact>
        ))}
      </Facts>
    </>
  );
}
