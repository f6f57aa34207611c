import { Moment } from '#src/storefront/moment.tsx';
import { call } from '#src/storefront/call.ts';
import { Field } from '#src/ui/field.tsx';
import type { ShownRescan } from '../../contract.ts';
import styles from './chain-page.module.css';
import { ConfirmedAction } from '../../web/confirmed-action.tsx';
import { readText } from '../../web/form-text.ts';

interface RescansProps {
  readonly rescans: readonly ShownRescan[];
  readonly tip: number | null;
  /** A height that the address of the page asks for. */
  readonly from: string;
}

/** Reads blocks again, and what became of it. */
export function Rescans({ rescans, tip, from }: RescansProps) {
  return (
    <section className={styles.section} aria-labelledby="rescan-title">
      <h2 id="rescan-title">Rescan</h2>
      <p className={styles.muted}>
        Reads the blocks from a height up to the newest one again, and the mempool, for payments to any address that the
        shop ever gave out. Nothing is counted twice, and the shop goes on meanwhile. Useful after a restore, or when
        the ledger lacks a payment that an explorer shows.
      </p>
      <ConfirmedAction
        key={from}
        button="Rescan"
        question="Read these blocks again?"
        renderMeaning={(data) => (
          <p>
            From block {readText(data, 'from')} up to {tip ?? 'the newest one'}. A thousand blocks take some minutes.
          </p>
        )}
        confirm="Yes, rescan"
        done="The rescan has begun"
        onConfirm={(data) => call('POST /payments/rescans', { body: { from_height: Number(readText(data, 'from')) } })}
      >
        <Field
          label="From block"
          name="from"
          type="text"
          inputMode="numeric"
          pattern="[0-9]{1,9}"
          title="A block height: digits only"
          required
          defaultValue={from}
          autoComplete="off"
        />
      </ConfirmedAction>
      {rescans.length > 0 && (
        <ul className={styles.list}>
          {rescans.map((rescan) => (
            <li key={rescan.id}>
              <Rescan rescan={rescan} />
            </li>
          ))}
        </ul>
      )}
    </section>
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
      <p className={styles.line}>
        <strong>{STATES[state]}</strong> blocks {first} to {last}
        {state !== 'done' && (
          <>
            : {read} of {all} read
          </>
        )}
        {` · ${found} ${found === 1 ? 'payment' : 'payments'} found`}
      </p>
      {state === 'open' && <progress className={styles.progress} max={all} value={read} aria-label="Blocks read" />}
      {unread !== null && (
        <p>
          {unread >= last
            ? 'The node has pruned all these blocks: none could be read.'
            : `The node has pruned blocks ${first} to ${unread}: they could not be read.`}{' '}
          Use a node that keeps them, or an Esplora server.
        </p>
      )}
      {problem !== null && state === 'open' && <p className={styles.problem}>It does not go on: {problem}.</p>}
      <p className={styles.muted}>
        Asked for by {rescan.by}, <Moment at={rescan.asked_at} shows="moment" />
      </p>
      {state === 'open' && (
        <ConfirmedAction
          button="Stop the rescan"
          question="Stop this rescan?"
          meaning={<p>What it has found stays. The blocks that are left are not read.</p>}
          confirm="Yes, stop it"
          done="The rescan was stopped"
          onConfirm={() => call('POST /payments/rescans/{id}/stop', { params: { id: rescan.id } })}
        />
      )}
    </>
  );
}
