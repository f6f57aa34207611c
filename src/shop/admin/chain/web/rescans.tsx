import { Moment } from '#src/storefront/moment.tsx';
import { call } from '#src/storefront/call.ts';
import { Lines } from '#src/ui/layout/lines.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import type { ShownRescan } from '#src/shop/payments/chain-sync/contract.ts';
import styles from './chain-page.module.css';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';

interface RescansProps {
  readonly rescans: readonly ShownRescan[];
  readonly tip: number | null;
  /** Start height from the page URL. */
  readonly from: string;
}

/** Starts a rescan and lists the newest ones. */
export function Rescans({ rescans, tip, from }: RescansProps) {
  return (
    <Section title="Rescan">
      <p className="muted tabular measure">
        Reads past blocks and the mempool again for payments to any address of the shop. Payments are never counted
        twice, and the shop stays open. Use it after a restore, or if a payment in a block explorer is missing here.
      </p>
      <ConfirmedAction
        key={from}
        button="Rescan"
        question="Rescan these blocks?"
        renderMeaning={(data) => (
          <p>
            From block {readText(data, 'from')} up to {tip ?? 'the newest one'}. A thousand blocks take a few minutes.
          </p>
        )}
        confirm="Rescan"
        done="The rescan has started"
        onConfirm={(data) => call('POST /payments/rescans', { body: { from_height: Number(readText(data, 'from')) } })}
      >
        <Field
          label="From block"
          name="from"
          type="text"
          inputMode="numeric"
          pattern="[0-9]{1,9}"
          title="Enter a block height, digits only"
          required
          defaultValue={from}
          autoComplete="off"
        />
      </ConfirmedAction>
      {rescans.length > 0 && (
        <Lines className={styles.list}>
          {rescans.map((rescan) => (
            <li key={rescan.id}>
              <Rescan rescan={rescan} />
            </li>
          ))}
        </Lines>
      )}
    </Section>
  );
}

const STATES = { open: 'Running', done: 'Done', stopped: 'Stopped' } as const;

function Rescan({ rescan }: { readonly rescan: ShownRescan }) {
  const {
    from_height: first,
    to_height: last,
    next_height: next,
    found,
    state,
    problem,
    unread_until: unread,
  } = rescan;
  const [read, all] = [next - first, last - first + 1];
  return (
    <>
      <p className="tabular wrap-anywhere">
        <strong>{STATES[state]}</strong> blocks {first} to {last}
        {state !== 'done' && (
          <span>
            : {read} of {all} read
          </span>
        )}
        <span>{` · ${found} ${found === 1 ? 'payment' : 'payments'} found`}</span>
      </p>
      {state === 'open' && <progress className={styles.progress} max={all} value={read} aria-label="Blocks read" />}
      {unread !== null && (
        <p>
          {unread >= last
            ? 'The node has pruned all these blocks, so none could be read.'
            : `The node has pruned blocks ${first} to ${unread}, so they could not be read.`}{' '}
          Use a node without pruning, or an Esplora server.
        </p>
      )}
      {problem !== null && state === 'open' && <Notice tone="bad">Paused: {problem}.</Notice>}
      <p className="muted tabular measure">
        Started by {rescan.by}, <Moment at={rescan.asked_at} shows="moment" />
      </p>
      {state === 'open' && (
        <ConfirmedAction
          button="Stop rescan"
          question="Stop this rescan?"
          meaning={<p>Payments found so far stay. The remaining blocks are not read.</p>}
          confirm="Stop rescan"
          done="The rescan was stopped"
          onConfirm={() => call('POST /payments/rescans/{id}/stop', { params: { id: rescan.id } })}
        />
      )}
    </>
  );
}
