import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { MAX_MESSAGE_LENGTH } from '#src/shop/support/tickets/check-ticket.ts';
import type { TicketNote } from '#src/shop/support/tickets/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Lines } from '#src/ui/layout/lines.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { useQuickAction } from '../../kit/quick-action.tsx';

interface TicketNotesProps {
  readonly ticketId: string;
  readonly notes: readonly TicketNote[];
}

/** Internal notes of a ticket. */
export function TicketNotes({ ticketId, notes }: TicketNotesProps) {
  const isHydrated = useHydrated();
  const { isBusy, run } = useQuickAction();
  const [text, setText] = useState('');
  const params = { id: ticketId };
  const add = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text.trim() === '') return;
    if (await run(() => call('POST /support/tickets/{id}/notes', { params, body: { text } }))) setText('');
  };
  return (
    <Section title="Internal notes" surface="outlined">
      <p className="muted measure">Only staff see notes. Customers never get them, not even with their data.</p>
      {notes.length > 0 && (
        <Lines as="ol">
          {notes.map((note) => (
            <li key={note.id}>
              <Row gap={16} rowGap={0} justify="between">
                <p className="muted small wrap-anywhere">
                  {note.author}, <Moment at={note.created_at} shows="moment" />
                </p>
                <ConfirmedAction
                  button="Delete note"
                  variant="quaternary"
                  isDestructive
                  question="Delete this note?"
                  meaning={<p>You can’t undo this.</p>}
                  confirm="Delete note"
                  done="Note deleted"
                  onConfirm={() =>
                    call('DELETE /support/tickets/{id}/notes/{note_id}', { params: { ...params, note_id: note.id } })
                  }
                />
              </Row>
              <p className="multiline">{note.text}</p>
            </li>
          ))}
        </Lines>
      )}
      <Stack as="form" gap={12} onSubmit={(event) => void add(event)}>
        <TextArea
          label="New note"
          rows={3}
          maxLength={MAX_MESSAGE_LENGTH}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated || text.trim() === ''}>
          Add note
        </Button>
      </Stack>
    </Section>
  );
}
