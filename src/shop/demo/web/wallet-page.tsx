import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { formatBtcAmount } from '#src/shop/format-number.ts';
import { formatDate } from '#src/shop/format.ts';
import { BtcField, readBtc } from '#src/storefront/forms/btc-field.tsx';
import { call } from '#src/storefront/call.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwNotFound } from '#src/storefront/page/page-responses.ts';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { DemoAction } from './demo-action.tsx';
import frame from './developer-page.module.css';
import styles from './wallet-page.module.css';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const TWO_HOURS_S = 7200;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Devchain wallet', matches) },
  { name: 'description', content: 'Pay, mine, replace and reorganise on the demo’s own chain.' },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const { call: callApi, visitor, hasDevchain } = context.get(pageContext);
  if (!hasDevchain) return throwNotFound();
  const order = visitor.user ? (await callApi('GET /orders')).order : null;
  if (!order) return { order: null };
  const { id, number, payment } = order;
  const due = payment.bip21 === null ? null : new URLSearchParams(payment.bip21.split('?')[1]).get('amount');
  const waiting = payment.transactions.filter(({ confirmations }) => confirmations === 0).map(({ txid }) => txid);
  return { order: { id, number, dueBtc: due === null ? null : Number(due), waiting: [...new Set(waiting)] } };
}

const readText = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
};
const formatBlocks = (count: number): string => (count === 1 ? 'One block' : `${count} blocks`);

export default function WalletPage() {
  const { order } = useLoaderData<typeof loader>();
  const [lastTxid, setLastTxid] = useState('');
  const waiting = [...new Set([...(order?.waiting ?? []), ...(lastTxid === '' ? [] : [lastTxid])])];
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>Devchain wallet</h1>
        <p>
          This demo runs on its own Bitcoin network, the devchain. It follows the real rules: transactions are signed,
          checked, held in a mempool and confirmed by blocks. Only its coins have no value. The shop uses it like the
          real network. Here you control the rest: the customer’s wallet, the miners and the clock.
        </p>
      </div>
      <div className={styles.actions}>
        <Pay order={order} onPaid={setLastTxid} />
        <Mine />
        <Replace waiting={waiting} />
        <Reorganise />
        <MoveClock />
      </div>
    </div>
  );
}

interface OpenOrder {
  readonly id: string;
  readonly number: string;
  readonly dueBtc: number | null;
}

function Pay({ order, onPaid }: { readonly order: OpenOrder | null; readonly onPaid: (txid: string) => void }) {
  return (
    <DemoAction
      title="Pay an order"
      about="Sends coins to the address of an order, like a customer’s wallet."
      buttons={[{ text: 'Pay' }]}
      onSubmit={async (data) => {
        const orderId = readText(data, 'order_id');
        const amount = readBtc(data, 'amount_btc');
        const body = { order_id: orderId, ...(amount === null ? {} : { amount_btc: amount }) };
        const { txid } = await call('POST /dev/pay', { body });
        onPaid(txid);
        return `Sent. Transaction ${txid} is in the mempool.`;
      }}
    >
      <Field
        // Replaced when the buyer places another order.
        key={order?.id}
        label="Order id"
        name="order_id"
        defaultValue={order?.id}
        required
        autoComplete="off"
        spellCheck={false}
        hint={order ? describeHint(order) : 'Your open order appears here once you have checked out.'}
      />
      <BtcField label="Amount in BTC" name="amount_btc" hint="Leave empty to send exactly the missing amount." />
    </DemoAction>
  );
}

function describeHint({ number, dueBtc }: OpenOrder): string {
  return dueBtc === null
    ? `Your order ${number}: nothing is missing.`
    : `Your order ${number}: ${formatBtcAmount(dueBtc)} BTC is missing.`;
}

function Mine() {
  return (
    <DemoAction
      title="Mine blocks"
      about="Confirms the transactions in the mempool, as miners do about every ten minutes."
      buttons={[{ text: 'Mine' }]}
      onSubmit={async (data) => {
        const count = Number(readText(data, 'blocks'));
        const { height } = await call('POST /dev/mine', { body: { blocks: count } });
        return `${formatBlocks(count)} mined. The chain is ${height} blocks high.`;
      }}
    >
      <Field label="Blocks" name="blocks" type="number" min={1} max={1000} defaultValue={1} required />
    </DemoAction>
  );
}

function Replace({ waiting }: { readonly waiting: readonly string[] }) {
  return (
    <DemoAction
      title="Replace a payment"
      about="Double-spends a payment at a higher fee."
      buttons={[{ text: 'Replace' }]}
      onSubmit={async (data) => {
        const { txid } = await call('POST /dev/replace', { body: { txid: readText(data, 'txid') } });
        return `Replaced by ${txid}, which does not pay the shop.`;
      }}
    >
      {waiting.length > 0 ? (
        <Select label="Transaction" name="txid" hint="Unconfirmed transactions in the mempool.">
          {waiting.map((txid) => (
            <option key={txid} value={txid}>
              {txid}
            </option>
          ))}
        </Select>
      ) : (
        <Field
          label="Transaction id"
          name="txid"
          required
          pattern="[0-9a-f]{64}"
          title="64 digits and letters from a to f"
          autoComplete="off"
          spellCheck={false}
          hint="Only while it is in the mempool."
        />
      )}
    </DemoAction>
  );
}

function Reorganise() {
  return (
    <DemoAction
      title="Reorganise the chain"
      about="Replaces the last blocks with a longer chain of empty blocks. Their transactions return to the mempool."
      buttons={[{ text: 'Reorganise' }]}
      onSubmit={async (data) => {
        const depth = Number(readText(data, 'depth'));
        const { height } = await call('POST /dev/reorg', { body: { depth } });
        return `${formatBlocks(depth)} replaced. The chain is ${height} blocks high.`;
      }}
    >
      <Field label="Depth" name="depth" type="number" min={1} max={100} defaultValue={1} required />
    </DemoAction>
  );
}

function MoveClock() {
  return (
    <DemoAction
      title="Move the clock"
      about="Sets the shop’s clock ahead of the real time. Orders whose payment window has ended by then expire immediately."
      buttons={[
        { text: 'Set' },
        { text: '+ 2 hours', value: String(TWO_HOURS_S) },
        { text: 'Back to real time', value: '0' },
      ]}
      onSubmit={async (data) => {
        const chosen = readText(data, 'choice');
        const offset = chosen === '' ? Math.round(Number(readText(data, 'minutes')) * 60) : Number(chosen);
        const { now } = await call('POST /dev/clock', { body: { offset_s: offset } });
        return `The shop’s clock is at ${formatDate(now, 'moment', undefined)}.`;
      }}
    >
      <Field
        label="Minutes ahead of real time"
        name="minutes"
        type="number"
        min={-525600}
        max={525600}
        defaultValue={30}
        required
      />
    </DemoAction>
  );
}
