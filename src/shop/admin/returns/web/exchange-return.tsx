import { useState } from 'react';
import { Link } from 'react-router';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';
import type { DeskReturn } from '#src/shop/returns/desk/contract.ts';
import type { ExchangePreview } from '#src/shop/returns/exchange/contract.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Select } from '#src/ui/fields/field.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { useFound } from '../../kit/use-found.ts';

type Offer = NonNullable<DeskReturn['exchange']>[number];
type Exchanged = NonNullable<DeskReturn['exchanged']>;
type Chosen = Readonly<Record<number, string>>;

const usd = (amount: number): string => `$${formatUsdAmount(amount)}`;

interface ExchangeReturnProps {
  readonly found: DeskReturn;
  readonly mayExchange: boolean;
}

/** RET-08: exchanges the units of a return for other variants, in one action, or shows the exchange that was made. */
export function ExchangeReturn({ found, mayExchange }: ExchangeReturnProps) {
  const { exchange, exchanged } = found;
  if (exchanged !== null) return <ExchangeMade exchanged={exchanged} />;
  if (exchange === null || exchange.every(({ variants }) => variants.length === 0)) return null;
  return (
    <Section title="Exchange" surface="outlined">
      {mayExchange ? (
        <ExchangeForm found={found} offers={exchange} />
      ) : (
        <p className="muted">A manager or the owner exchanges items.</p>
      )}
    </Section>
  );
}

const describeStock = (available: number | null): string => {
  if (available === null) return '';
  return available > 0 ? `, ${available} in stock` : ', sold out';
};

/** The wishes of the buyer that are on sale. */
const readWishes = (offers: readonly Offer[]): Chosen =>
  Object.fromEntries(
    offers.flatMap(({ position, variants, wanted_variant_id: wanted }) =>
      wanted !== null && variants.some(({ variant_id: id }) => id === wanted) ? [[position, wanted]] : [],
    ),
  );

type Priced = { readonly priced: ExchangePreview } | { readonly problem: string };

function ExchangeForm({ found, offers }: { readonly found: DeskReturn; readonly offers: readonly Offer[] }) {
  const { return: one } = found;
  const [chosen, setChosen] = useState<Chosen>(() => readWishes(offers));
  const lines = offers.flatMap(({ position }) => {
    const id = chosen[position] ?? '';
    return id === '' ? [] : [{ position, variant_id: id }];
  });
  const { hasFailed, result } = useFound<Priced>(lines.length === 0 ? '' : JSON.stringify(lines), async (_, signal) => {
    try {
      const body = { lines };
      return {
        priced: await call('POST /support/returns/{id}/exchange/preview', { params: { id: one.id }, body }, { signal }),
      };
    } catch (error) {
      if (isRefusal(error)) return { problem: error.message };
      throw error;
    }
  });
  return (
    <>
      {offers.map(({ name, position, quantity, variants }) => (
        <Select
          key={position}
          label={`${quantity} × ${name}`}
          value={chosen[position] ?? ''}
          onChange={({ currentTarget: { value } }) => setChosen((before) => ({ ...before, [position]: value }))}
        >
          <option value="">No exchange</option>
          {variants.map(({ available, name: of, price_usd: price, variant_id: id }) => (
            <option key={id} value={id} disabled={available !== null && available < quantity}>
              {of}, {usd(price)}
              {describeStock(available)}
            </option>
          ))}
        </Select>
      ))}
      {hasFailed && <Notice tone="bad">The price could not be loaded. Check your connection.</Notice>}
      {lines.length > 0 && result === null && !hasFailed && <p className="muted">Loading the price…</p>}
      {result !== null && 'problem' in result && <Notice tone="bad">{result.problem}</Notice>}
      {result !== null && 'priced' in result && <ExchangeAction found={found} lines={lines} priced={result.priced} />}
    </>
  );
}

function describeDifference({
  left_usd: left,
  pays_usd: pays,
}: Pick<ExchangePreview, 'left_usd' | 'pays_usd'>): string {
  if (pays > 0) return `The buyer pays ${usd(pays)} within three days. Otherwise the credit is refunded.`;
  return left > 0
    ? `${usd(left)} of the credit is left. Refund it on the page of the new order.`
    : 'Nothing is paid or refunded besides.';
}

interface ExchangeActionProps {
  readonly found: DeskReturn;
  readonly lines: { readonly position: number; readonly variant_id: string }[];
  readonly priced: ExchangePreview;
}

function ExchangeAction({ found: { return: one }, lines, priced }: ExchangeActionProps) {
  return (
    <>
      <Facts layout="columns">
        <Fact label="Credit">{usd(priced.credit_usd)}</Fact>
        <Fact label="Price with tax, delivered free">{usd(priced.total_usd)}</Fact>
        {priced.pays_usd > 0 && <Fact label="The buyer pays">{usd(priced.pays_usd)}</Fact>}
        {priced.left_usd > 0 && <Fact label="Left of the credit">{usd(priced.left_usd)}</Fact>}
      </Facts>
      <ConfirmedAction
        button="Exchange and close"
        variant="primary"
        question="Exchange these items?"
        meaning={
          <p>
            The returned items are credited to a new order of the buyer, with a credit note and an invoice, and the
            return is closed. {describeDifference(priced)} This can’t be undone. Exchange items only if the buyer
            agreed.
          </p>
        }
        confirm="Exchange and close"
        done="Items exchanged, return closed"
        onConfirm={(data) =>
          call('POST /support/returns/{id}/exchange', {
            params: { id: one.id },
            body: {
              version: one.version,
              lines,
              expected_total_usd: priced.total_usd,
              checked: data.get('checked') === 'yes',
            },
          })
        }
      >
        <Checkbox name="checked" value="yes">
          I checked in the wallet that nothing of this order was refunded before. Needed only after a backup was
          restored.
        </Checkbox>
      </ConfirmedAction>
    </>
  );
}

const STATES: Readonly<Record<Exchanged['state'], string>> = {
  paid: 'It is paid.',
  waiting: 'It waits for the difference.',
  ended: 'The difference was not paid in time. Refund the credit on its page.',
};

function ExchangeMade({ exchanged }: { readonly exchanged: Exchanged }) {
  const { left_usd: left, pay_by: payBy, pays_usd: pays, state } = exchanged;
  return (
    <Section title="Exchange" surface="outlined">
      <p>
        The items were credited to order{' '}
        <Link to={`/admin/orders/${exchanged.order_id}`} className="link accent">
          <OrderNumber number={exchanged.order_number} />
        </Link>
        . {STATES[state]}
      </p>
      <Facts layout="columns">
        <Fact label="Credit">{usd(exchanged.credit_usd)}</Fact>
        <Fact label="Price">{usd(exchanged.total_usd)}</Fact>
        {pays > 0 && <Fact label="Difference">{usd(pays)}</Fact>}
        {left > 0 && <Fact label="Left of the credit">{usd(left)}, refunded on the page of that order</Fact>}
        {payBy !== null && (
          <Fact label="Pay by">
            <Moment at={payBy} shows="moment" />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}
