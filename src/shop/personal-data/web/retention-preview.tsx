import { Form, Link } from 'react-router';
import type { WireResponse } from '#src/shop/codecs.ts';
import { formatTotal, MAX_COUNTED } from '#src/shop/counted-list.ts';
import type { retentionApi } from '../retention/contract.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';

export const PERIODS = [
  { name: 'order_years', label: 'Years for orders', minimum: 2 },
  { name: 'invoice_years', label: 'Years for invoices', minimum: 5 },
  { name: 'message_years', label: 'Years for messages', minimum: 1 },
  { name: 'staff_record_years', label: 'Years for records of staff', minimum: 1 },
] as const;

type Preview = WireResponse<(typeof retentionApi)['GET /shop/retention']>;
type Erasable = Preview['orders'];
type Kept = Erasable['kept_examples'][number];

interface RetentionPreviewProps {
  readonly preview: Preview;
  readonly stored: Readonly<Record<(typeof PERIODS)[number]['name'], number>>;
  /** Other periods, of this preview only. */
  readonly chosen: Readonly<Record<string, string>>;
}

/** A dry run: what would be erased, and when the next would go. */
export function RetentionPreview({ preview, stored, chosen }: RetentionPreviewProps) {
  const isOther = PERIODS.some(({ name }) => chosen[name] !== undefined && chosen[name] !== String(stored[name]));
  const { erases_orders: erases, invoices, messages, orders, staff_records: records } = preview;
  return (
    <Section id="preview" title="What would be erased" surface="outlined">
      <p className="muted measure">{describePreview(isOther, erases)}</p>
      <Form method="get" action="#preview" preventScrollReset>
        <Stack gap={16}>
          <Columns width={12} rowGap={16}>
            {PERIODS.map(({ label, minimum, name }) => (
              <Field
                key={name}
                label={label}
                name={name}
                type="number"
                min={minimum}
                max={30}
                required
                autoComplete="off"
                defaultValue={chosen[name] ?? String(stored[name])}
              />
            ))}
          </Columns>
          <Row>
            <Button type="submit" variant="secondary">
              Show what would go
            </Button>
          </Row>
        </Stack>
      </Form>
      <ErasableList title="Orders" one="order" many="orders" list={orders} />
      <ErasableList title="Invoices and credit notes" one="document" many="documents" list={invoices} />
      <Facts layout="beside">
        <Fact label="Closed tickets">{formatCount(messages.tickets)}</Fact>
        <Fact label="Contact messages">{formatCount(messages.contact_messages)}</Fact>
        <Fact label="Texts of returns">{formatCount(messages.returns)}</Fact>
        <Fact label="Records of staff">{formatCount(records.entries)}</Fact>
      </Facts>
    </Section>
  );
}

function describePreview(isOther: boolean, erases: boolean): string {
  if (isOther) return 'With the years below, which are not saved. Nothing is erased by this list.';
  return erases
    ? 'With the saved years. The shop erases it within the hour, in small steps.'
    : 'With the saved years. Orders and invoices are kept until you switch their erasure on; messages and records of staff are always erased.';
}

const formatCount = (count: number): string => formatTotal(count, count >= MAX_COUNTED);

interface ErasableListProps {
  readonly title: string;
  readonly one: string;
  readonly many: string;
  readonly list: Erasable;
}

function ErasableList({ title, one, many, list }: ErasableListProps) {
  const { before, examples, has_more: hasMore, kept, kept_examples: keptExamples, next_at: nextAt, total } = list;
  const next = list.next_total;
  return (
    <Stack gap={8}>
      <h3 className="strong">{title}</h3>
      <p className="measure">
        <strong>{formatTotal(total, hasMore)}</strong>{' '}
        <span>
          {total === 1 && !hasMore ? one : many} from before <Moment at={before} shows="day" />
        </span>
        {total > 0 && <span>, the oldest first:</span>}
      </p>
      {examples.length > 0 && (
        <ul>
          {examples.map(({ at, id, number }) => (
            <li key={number}>
              <OrderLink id={id} number={number} /> <Moment at={at} shows="day" />
            </li>
          ))}
        </ul>
      )}
      {kept > 0 && (
        <>
          <p className="measure">{`Kept, since something is open: ${formatTotal(kept, hasMore)}`}</p>
          <ul>
            {keptExamples.map(({ id, number, reason }) => (
              <li key={number}>
                <OrderLink id={id} number={number} /> <span className="muted">{REASONS[reason]}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="muted small">
        {next === 0 ? 'No more go' : `${formatCount(next)} more go`} on <Moment at={nextAt} shows="day" />
      </p>
    </Stack>
  );
}

const REASONS: Readonly<Record<Kept['reason'], string>> = {
  'order-open': 'The order is open',
  'order-unshipped': 'Not shipped completely',
  'refund-under-way': 'A refund is under way',
  'return-open': 'A return is open',
  'payment-under-way': 'Money was neither accepted nor refunded',
};

const OrderLink = ({ id, number }: { readonly id: string; readonly number: string }) => (
  <Link to={`/admin/orders/${id}`} className="link" translate="no">
    {number}
  </Link>
);
