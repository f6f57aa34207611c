import type { SubmitEvent } from 'react';
import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData } from 'react-router';
import { CartTotals } from '#src/shop/cart/web/cart-totals.tsx';
import { MANUAL_WINDOW_NAMES, manualWindows } from '#src/shop/orders/checkout/manual-window.ts';
import type { ManualWindow } from '#src/shop/orders/checkout/manual-window.ts';
import { EMPTY_DRAFT, isFilled, toBilling } from '#src/shop/orders/checkout/web/billing-draft.ts';
import type { Draft } from '#src/shop/orders/checkout/web/billing-draft.ts';
import { BillingFields } from '#src/shop/orders/checkout/web/billing-fields.tsx';
import { toTotals } from '#src/shop/orders/checkout/web/to-totals.ts';
import { VatNumberField } from '#src/shop/orders/checkout/web/vat-number-field.tsx';
import { SideColumns } from '#src/storefront/layout/side-columns.tsx';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Button } from '#src/ui/button.tsx';
import { Field, Select } from '#src/ui/field.tsx';
import { NeedsScript } from '#src/ui/needs-script.tsx';
import { AdminFrame } from '../../web/admin-frame.tsx';
import { requireStaff } from '../../web/staff-page.ts';
import { ChooseCustomer } from './choose-customer.tsx';
import type { CustomerDraft } from './choose-customer.tsx';
import { ChooseItems } from './choose-items.tsx';
import type { DraftLine } from './choose-items.tsx';
import styles from './new-order.module.css';
import { useCreateOrder } from './use-create-order.ts';
import type { CreateFailure } from './use-create-order.ts';
import { useOrderPreview } from './use-order-preview.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('New order · Back office', matches) },
  { name: 'description', content: 'An order that staff create for a customer.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/orders/new', 'manual-orders');
  const id = new URL(args.request.url).searchParams.get('customer') ?? '';
  const [found, { countries }] = await Promise.all([
    UUID.test(id) ? call('GET /support/customers/{id}', { params: { id } }).catch(rethrowAsNotFound) : null,
    call('GET /shipping'),
  ]);
  return { customer: found?.customer ?? null, countries };
}

/** OPS-13: a new order for a customer on the phone. */
export default function NewOrderPage() {
  const { customer: given, countries } = useLoaderData<typeof loader>();
  const [customer, setCustomer] = useState<CustomerDraft>(
    given === null ? { kind: 'none' } : { kind: 'known', customer: given },
  );
  const [lines, setLines] = useState<readonly DraftLine[]>([]);
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [promoCode, setPromoCode] = useState('');
  const [window, setWindow] = useState<ManualWindow>('2h');
  const { isBusy, failure, create } = useCreateOrder();

  const country = isFilled('country', draft) ? draft.country : '';
  const items = lines.map(({ variant: { product_id, property_value_ids }, quantity }) => ({
    product_id,
    property_value_ids,
    quantity,
  }));
  const areLinesValid = items.length > 0 && items.every(({ quantity }) => quantity > 0);
  const choice = {
    ...(customer.kind === 'known' && { customer_id: customer.customer.id }),
    ...(promoCode.trim() !== '' && { promo_code: promoCode.trim() }),
  };
  const vatNumber = draft.vatNumber.trim();
  const preview = useOrderPreview(
    areLinesValid
      ? {
          ...choice,
          lines: items,
          ...(country !== '' && { country }),
          ...(country !== '' && vatNumber !== '' && { vat_number: vatNumber }),
        }
      : null,
  );
  const { cart } = preview;
  const billing = toBilling(draft, countries);
  const missing = findMissing({ customer, areLinesValid, isBillingFilled: billing !== null });

  const changeBilling = (name: keyof Draft, value: string) => {
    setTouched((names) => new Set(names).add(name));
    setDraft((before) => ({ ...before, [name]: value, ...(name === 'region' ? { country: '' } : {}) }));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (billing === null || cart === null || preview.isStale || missing !== null) return;
    const acceptsVat = cart.delivery?.accepts_vat_number === true && vatNumber !== '';
    void create({
      ...choice,
      ...(customer.kind === 'new' && { email: customer.customer.email.trim(), name: customer.customer.name.trim() }),
      lines: items,
      billing: { ...billing, ...(acceptsVat && { vatNumber }) },
      window,
      expected_total_usd: cart.totalCartValue,
    });
  };

  return (
    <AdminFrame title="New order" beside={<BackLink to="/admin/orders" text="Orders" />}>
      <NeedsScript />
      <form onSubmit={submit} noValidate>
        <SideColumns
          sidebar={
            <div className={styles.side}>
              {cart === null ? (
                <section className={styles.section} aria-labelledby="totals-title">
                  <h2 id="totals-title">Totals</h2>
                  <p className={styles.muted}>{preview.problem ?? 'Add an item to see what the order costs.'}</p>
                </section>
              ) : (
                <CartTotals title="Totals" totals={toTotals(cart, 2)} isStale={preview.isStale}>
                  {preview.problem !== null && <p className={styles.muted}>{preview.problem}</p>}
                </CartTotals>
              )}
              <section className={styles.section} aria-labelledby="payment-title">
                <h2 id="payment-title">Payment</h2>
                <Field
                  label="Promo code (optional)"
                  name="promo_code"
                  maxLength={64}
                  autoComplete="off"
                  autoCapitalize="characters"
                  spellCheck={false}
                  value={promoCode}
                  message={cart?.promoError ?? null}
                  onChange={({ currentTarget }) => setPromoCode(currentTarget.value)}
                />
                <Select
                  label="Time to pay"
                  name="window"
                  value={window}
                  hint={`The price in bitcoin and the items are reserved for ${MANUAL_WINDOW_NAMES[window]}, whatever the bitcoin price does.`}
                  onChange={({ currentTarget: { value } }) =>
                    setWindow(manualWindows.find((one) => one === value) ?? '2h')
                  }
                >
                  {manualWindows.map((one) => (
                    <option key={one} value={one}>
                      {MANUAL_WINDOW_NAMES[one]}
                    </option>
                  ))}
                </Select>
                {failure !== null && <Failure failure={failure} />}
                <Button
                  type="submit"
                  width="full"
                  isBusy={isBusy}
                  disabled={missing !== null || cart === null || preview.isStale}
                  aria-describedby="create-hint"
                >
                  Create order
                </Button>
                <p id="create-hint" className={styles.muted}>
                  {missing ?? 'The customer gets a mail with a link to pay. No login is needed.'}
                </p>
              </section>
            </div>
          }
        >
          <div className={styles.main}>
            <ChooseCustomer draft={customer} onChange={setCustomer} />
            <ChooseItems lines={lines} cart={cart} onChange={setLines} />
            <section className={styles.section} aria-labelledby="delivery-title">
              <h2 id="delivery-title">Delivery details</h2>
              <BillingFields
                draft={draft}
                countries={countries}
                touched={touched}
                isOwn={false}
                onChange={changeBilling}
              >
                {cart?.delivery?.accepts_vat_number === true && (
                  <VatNumberField
                    delivery={cart.delivery}
                    value={draft.vatNumber}
                    isChecked={!preview.isStale}
                    onChange={(value) => changeBilling('vatNumber', value)}
                    onLeave={() => {}}
                  />
                )}
              </BillingFields>
            </section>
          </div>
        </SideColumns>
      </form>
    </AdminFrame>
  );
}

interface DraftState {
  readonly customer: CustomerDraft;
  readonly areLinesValid: boolean;
  readonly isBillingFilled: boolean;
}

/** What the order needs before it can be created; null if nothing. */
function findMissing({ customer, areLinesValid, isBillingFilled }: DraftState): string | null {
  if (customer.kind === 'none') return 'Choose a customer to continue.';
  if (customer.kind === 'new' && (customer.customer.email.trim() === '' || customer.customer.name.trim() === '')) {
    return 'Enter the email address and the name of the customer to continue.';
  }
  if (!areLinesValid) return 'Add an item to continue.';
  return isBillingFilled ? null : 'Fill in the delivery details to continue.';
}

function Failure({ failure: { text, openOrderId } }: { readonly failure: CreateFailure }) {
  return (
    <p role="alert" className={styles.failure}>
      {text} {openOrderId !== null && <Link to={`/admin/orders/${openOrderId}`}>Open that order</Link>}
    </p>
  );
}
