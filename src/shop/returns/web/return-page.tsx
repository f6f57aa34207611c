import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData, useNavigate } from 'react-router';
import { formatUsd, formatUsdAmount } from '#src/shop/format-number.ts';
import { cents } from '#src/shop/money.ts';
import { call } from '#src/storefront/call.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { DownloadButton } from '#src/storefront/forms/download-button.tsx';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { TitledPage } from '#src/storefront/layout/titled-page.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { rethrowAsNotFound, throwRedirect } from '#src/storefront/page/page-responses.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { FormActions } from '#src/ui/layout/form-actions.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { Lines } from '#src/ui/layout/lines.ts';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import type { OwnReturn, Return } from '../contract.ts';
import { listSerials } from '../list-serials.ts';
import { CAUSES, describeReturn } from '../return-messages.ts';
import { Barcode } from './barcode.tsx';
import { DefectPictures } from './defect-pictures.tsx';
import { countUnitsToSend, ReturnState } from './return-state.tsx';

const MAX_PROOF = 200;

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  { title: formatPageTitle(loaderData ? `Return ${loaderData.return.reference}` : 'Return', matches) },
  { name: 'description', content: 'Your return, its state and its slip.' },
];

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { call: callShop, visitor } = context.get(pageContext);
  const id = params['id'] ?? '';
  if (!visitor.user) return throwRedirect(`/login?to=${encodeURIComponent(`/dashboard/returns/${id}`)}`);
  return callShop('GET /returns/{id}', { params: { id } }).catch(rethrowAsNotFound);
}

/** RET-07: a return with its state, instructions and slip. Prints as the slip. */
export default function ReturnPage() {
  const found = useLoaderData<typeof loader>();
  const { return: one } = found;
  const isToSend = one.actions.includes('send');
  return (
    <TitledPage
      above={<BackLink to={`/dashboard/orders/${one.order_id}`} text="Your order" />}
      title={
        <>
          Return <Code text={one.reference} />
        </>
      }
      beside={<ReturnState one={one} />}
    >
      <Stack gap={24} className="screen-only">
        <Notice>{describeReturn(one, countUnitsToSend(one)).next}</Notice>
        {one.decision !== null && (
          <Section title="Our reason" gap={8}>
            <p className="multiline measure">{one.decision}</p>
          </Section>
        )}
        {found.exchanged !== null && <Exchanged exchanged={found.exchanged} />}
        {isToSend && <Instructions found={found} />}
        {one.label_file !== null && (
          <DownloadButton
            path={`/returns/${one.id}/label-file`}
            text={one.label_file.type === 'application/pdf' ? 'Download the label (PDF)' : 'Download the label'}
          />
        )}
        <ReturnActions found={found} />
      </Stack>
      {isToSend && <Slip found={found} />}
      <DefectPictures one={one} />
      <ReturnFacts found={found} />
    </TitledPage>
  );
}

/** A number or reference, which is neither translated nor broken. */
const Code = ({ text }: { readonly text: string }) => (
  <span translate="no" className="unbroken">
    {text}
  </span>
);

/** The order that the exchange created, and what is left to do. */
function Exchanged({ exchanged }: { readonly exchanged: NonNullable<OwnReturn['exchanged']> }) {
  const { left_usd: left, order_id: id, order_number: number, pay_by: payBy, pays_usd: pays, state } = exchanged;
  return (
    <Section title="Exchange" gap={12}>
      <Facts layout="columns">
        <Fact label="New order">
          <Link to={`/dashboard/orders/${id}`} className="link accent">
            <Code text={number} />
          </Link>
        </Fact>
        <Fact label="Credit">${formatUsdAmount(exchanged.credit_usd)}</Fact>
        <Fact label="Price">${formatUsdAmount(exchanged.total_usd)}</Fact>
      </Facts>
      {state === 'waiting' && (
        <>
          <p className="measure">
            <span>Pay the difference of ${formatUsdAmount(pays)}</span>
            {payBy !== null && (
              <span>
                {' '}
                by <Moment at={payBy} shows="moment" />
              </span>
            )}
            <span>. Otherwise we refund the credit.</span>
          </p>
          <Row>
            <ButtonLink to="/cart">Go to payment</ButtonLink>
          </Row>
        </>
      )}
      {state === 'ended' && (
        <p className="measure">
          The difference was not paid in time, so we refund the credit. Enter an address for it on the page of the new
          order.
        </p>
      )}
      {state === 'paid' && left > 0 && (
        <p className="measure">
          ${formatUsdAmount(left)} of the credit is left. Enter an address for the refund on the page of the new order.
        </p>
      )}
    </Section>
  );
}

function Instructions({ found }: { readonly found: OwnReturn }) {
  const { return: one } = found;
  return (
    <Section title="Before you send them" gap={12}>
      <Lines as="ol" gap={8} className="measure">
        <li>Switch off Find My and every other lock, and sign out of your accounts.</li>
        <li>Save your data, then erase the device. We can’t inspect a locked one.</li>
        <li>Remove SIM and memory cards.</li>
        <li>Print the slip, or write the reference on a sheet, and put it in the parcel.</li>
        <li>Keep the proof of sending until the refund has arrived.</li>
      </Lines>
      {one.label_url !== null && (
        <Row>
          <ButtonLink to={one.label_url}>Print the label</ButtonLink>
        </Row>
      )}
      <SentForm one={one} />
    </Section>
  );
}

/** Names the proof of sending. */
function SentForm({ one }: { readonly one: Return }) {
  const isHydrated = useHydrated();
  const { ref, submit, isBusy, failure, bind } = useCallForm({
    log: 'the proof of sending was not saved',
    read: (form) => ({ proof: readField(new FormData(form), 'proof').trim() }),
    check: ({ proof }) => ({ proof: proof === '' ? 'Enter the tracking number' : null }),
    send: (body) => call('POST /returns/{id}/sent', { params: { id: one.id }, body }),
    saved: 'Tracking number saved',
  });
  return (
    <Stack as="form" ref={ref} noValidate onSubmit={submit} gap={12} className="measure">
      {failure !== null && (
        <Notice role="alert" tone="bad">
          {failure}
        </Notice>
      )}
      <Field
        {...bind('proof')}
        label="Tracking number"
        hint="It is your proof of sending."
        defaultValue={one.proof ?? ''}
        maxLength={MAX_PROOF}
        autoComplete="off"
        spellCheck={false}
      />
      <FormActions>
        <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated}>
          {one.proof === null ? 'I sent the items' : 'Correct the number'}
        </Button>
      </FormActions>
      <NeedsScript />
    </Stack>
  );
}

function ReturnActions({ found }: { readonly found: OwnReturn }) {
  const { return: one } = found;
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const { failed, isBusy, run } = useCallAction({
    log: 'an action of a return failed',
    describe: (error) => describeFailure(error, { counted: 'tickets' }),
  });
  const openTicket = async () => {
    const { ticket_id: id } = await call('POST /returns/{id}/ticket', { params: { id: one.id } });
    await navigate(`/dashboard/tickets/${id}`);
  };
  const cancel = async () => {
    await call('POST /returns/{id}/cancel', { params: { id: one.id } });
    await reloadPage();
  };
  return (
    <>
      <Row>
        {one.ticket_id === null ? (
          <Button variant="secondary" disabled={!isHydrated} isBusy={isBusy} onClick={() => void run(openTicket)}>
            Write to us
          </Button>
        ) : (
          <ButtonLink to={`/dashboard/tickets/${one.ticket_id}`} variant="secondary">
            View the ticket
          </ButtonLink>
        )}
        {one.actions.includes('send') && (
          <Button variant="secondary" disabled={!isHydrated} onClick={() => window.print()}>
            Print slip
          </Button>
        )}
        {one.actions.includes('cancel') && (
          <Button variant="quaternary" disabled={!isHydrated} isBusy={isBusy} onClick={() => void run(cancel)}>
            Cancel return
          </Button>
        )}
      </Row>
      {failed !== null && (
        <Notice role="alert" tone="bad">
          {failed}
        </Notice>
      )}
    </>
  );
}

/** The sheet that goes into the parcel. */
function Slip({ found }: { readonly found: OwnReturn }) {
  const { return: one, return_address: address } = found;
  return (
    <Section title="Slip" surface="outlined">
      <Barcode text={one.reference} />
      <Facts layout="columns">
        <Fact label="Send to" className="multiline">
          {address === '' ? 'We write the address to you.' : address}
        </Fact>
        <Fact label="Order">
          <Code text={found.order_number} />
        </Fact>
      </Facts>
      <Lines>
        {one.lines.map(
          ({ cancelled, name, position, quantity }) =>
            quantity > cancelled && (
              <li key={position}>
                {quantity - cancelled} × {name}
              </li>
            ),
        )}
      </Lines>
    </Section>
  );
}

function ReturnFacts({ found }: { readonly found: OwnReturn }) {
  const { return: one } = found;
  return (
    <Section title="Details" className="screen-only">
      <Facts layout="columns">
        <Fact label="Order">
          <Link to={`/dashboard/orders/${one.order_id}`} className="link accent">
            <Code text={found.order_number} />
          </Link>
        </Fact>
        <Fact label="Cause">{CAUSES[one.cause]}</Fact>
        <Fact label="Requested">
          <Moment at={one.requested_at} shows="moment" />
        </Fact>
        {one.refund_due_at !== null && one.closed_at === null && (
          <Fact label="Refund by">
            <Moment at={one.refund_due_at} shows="moment" />
            {one.deadline === 'withheld' && <p className="muted small">Once the items or a proof of sending arrive.</p>}
          </Fact>
        )}
      </Facts>
      <Lines>
        {one.lines.map((line) => (
          <li key={line.position}>
            <p>
              {line.quantity} × {line.name}
            </p>
            {line.wanted !== null && <p className="muted small">Instead: {line.wanted}</p>}
            <p className="muted small">{describeLine(line)}</p>
            {listSerials(line.serials).map(({ label, numbers }) => (
              <p key={label} className="muted small wrap-anywhere">
                {`${label}: `}
                <span translate="no">{numbers.join(', ')}</span>
              </p>
            ))}
          </li>
        ))}
      </Lines>
      {one.reason !== null && (
        <div>
          <p className="muted small">Your description</p>
          <p className="multiline wrap-anywhere measure">{one.reason}</p>
        </div>
      )}
    </Section>
  );
}

/** What became of the units of a line. */
function describeLine(line: Return['lines'][number]): string {
  const counts = [
    [line.cancelled, 'not shipped'],
    [line.received, 'received'],
    [line.sent_back, 'sent back to you'],
  ] as const;
  const units = counts.flatMap(([count, text]) => (count > 0 ? `${count} ${text}` : []));
  const deduction =
    line.deduction_usd > 0
      ? [`deduction ${formatUsd(cents(BigInt(Math.round(line.deduction_usd * 100))))}: ${line.deduction_reason ?? ''}`]
      : [];
  return [...units, ...deduction].join(' · ') || 'Not received yet';
}
