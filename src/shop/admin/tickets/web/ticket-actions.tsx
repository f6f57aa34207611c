import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { call } from '#src/storefront/call.ts';
import { StatusLabel } from '#src/shop/support/tickets/web/status-label.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { Select } from '#src/ui/fields/field.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { useQuickAction } from '../../kit/quick-action.tsx';
import { REOPENED_WITHIN_DAYS } from '#src/shop/support/tickets/reopened-within.ts';
import { Section } from '#src/ui/layout/section.tsx';
import type { StaffTicket } from '#src/shop/support/tickets/contract.ts';

/** Status and assignment of a ticket. Use the assignee as key. */
export function TicketActions({ found: { ticket, staff } }: { readonly found: StaffTicket }) {
  const isHydrated = useHydrated();
  const { isBusy, run } = useQuickAction();
  const seen = ticket.assignee?.id ?? null;
  const [chosen, setChosen] = useState(seen ?? '');
  const params = { id: ticket.id };
  const isClosed = ticket.status === 'closed';

  const assign = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = { assignee_id: chosen === '' ? null : chosen, seen_assignee_id: seen };
    void run(() => call('POST /support/tickets/{id}/assign', { params, body }), 'Ticket assigned');
  };
  return (
    <>
      <Section title="Status" gap={12}>
        <div>
          <StatusLabel status={ticket.status} />
        </div>
        {!isClosed && (
          <Row>
            {ticket.status === 'open' && (
              <Button
                variant="secondary"
                isBusy={isBusy}
                disabled={!isHydrated}
                onClick={() => void run(() => call('POST /support/tickets/{id}/in-progress', { params }))}
              >
                Start work
              </Button>
            )}
            <ConfirmedAction
              button="Close ticket"
              isDestructive
              question="Close this ticket?"
              meaning={<p>Nobody can write in it afterwards. You can reopen it within {REOPENED_WITHIN_DAYS} days.</p>}
              confirm="Close ticket"
              done="Ticket closed"
              onConfirm={() => call('POST /support/tickets/{id}/close', { params })}
            />
          </Row>
        )}
        {isClosed && <ReopenTicket id={ticket.id} />}
      </Section>
      <Section title="Assigned to" gap={12}>
        {isClosed ? (
          <p className="muted small wrap-anywhere">{ticket.assignee?.username ?? 'Nobody'}</p>
        ) : (
          <Stack as="form" gap={12} onSubmit={assign}>
            <Select
              label="Member of staff"
              value={chosen}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            >
              <option value="">Nobody</option>
              {staff.map(({ id, username }) => (
                <option key={id} value={id}>
                  {username}
                </option>
              ))}
            </Select>
            <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated || chosen === (seen ?? '')}>
              Assign
            </Button>
            <NeedsScript />
          </Stack>
        )}
      </Section>
    </>
  );
}

/** OPS-04: reopens a ticket that was closed by mistake or too early. */
const ReopenTicket = ({ id }: { readonly id: string }) => (
  <ConfirmedAction
    button="Reopen ticket"
    question="Reopen this ticket?"
    meaning={
      <p>The customer can write in it again. Possible within {REOPENED_WITHIN_DAYS} days after it was closed.</p>
    }
    confirm="Reopen ticket"
    done="Ticket reopened"
    onConfirm={() => call('POST /support/tickets/{id}/reopen', { params: { id } })}
  />
);
