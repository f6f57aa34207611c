import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { MAX_REPLY_LENGTH } from '#src/shop/reviews/check-review.ts';
import type { ModeratedReview } from '#src/shop/reviews/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Button } from '#src/ui/button.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { Disclosure } from '#src/ui/disclosure.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { Stack } from '#src/ui/stack.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { useQuickAction } from '../../kit/quick-action.tsx';
import styles from './reviews-page.module.css';

/** The shop's public reply to a review. Use the stored reply as key. */
export function ReviewReplyForm({ review }: { readonly review: ModeratedReview }) {
  const isHydrated = useHydrated();
  const { isBusy, run } = useQuickAction();
  const [text, setText] = useState(review.reply ?? '');
  const params = { id: review.id };
  const seen = review.reply;
  const isShown = review.state === 'approved';
  const isChanged = text.trim() !== '' && text.trim() !== seen;
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isChanged) {
      void run(() => call('PUT /support/reviews/{id}/reply', { params, body: { text, seen } }), 'Reply published');
    }
  };
  return (
    <Disclosure summary={seen === null ? 'Reply publicly' : 'Public reply'} open={seen !== null}>
      {isShown ? (
        <Stack as="form" gap={12} className={styles.form} onSubmit={save}>
          <TextArea
            label={`Reply to ${review.name}`}
            rows={3}
            maxLength={MAX_REPLY_LENGTH}
            hint="Everybody sees it below the review."
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated || !isChanged}>
            {seen === null ? 'Publish reply' : 'Save reply'}
          </Button>
        </Stack>
      ) : (
        <>
          <p className="multiline measure">{seen}</p>
          <p className="muted small">Nobody sees it while the review is not approved.</p>
        </>
      )}
      {seen !== null && (
        <ConfirmedAction
          button="Remove reply"
          variant="quaternary"
          isDestructive
          question="Remove this reply?"
          meaning={<p>The review stays. You can’t undo this.</p>}
          confirm="Remove reply"
          done="Reply removed"
          onConfirm={() => call('POST /support/reviews/{id}/remove-reply', { params, body: { seen } })}
        />
      )}
    </Disclosure>
  );
}
