import type { ReactNode } from 'react';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { AccountFrame, FailureMessage } from './account-frame.tsx';

export interface ConfirmOutcome {
  readonly title: string;
  readonly lead: string;
  /** Link shown after confirmation. */
  readonly next: { readonly to: string; readonly text: string };
}

interface ConfirmFormProps {
  /** What the button confirms. */
  readonly title: string;
  readonly lead: string;
  /** Label of the button. */
  readonly button?: string;
  /** Result; null before the button is pressed. */
  readonly outcome: ConfirmOutcome | null;
  /** Whether the call was refused by a rate limit. */
  readonly isRateLimited: boolean;
  readonly footer: ReactNode;
}

/** Page behind a link in a mail: a confirm button, then the result. */
export function ConfirmForm({ title, lead, button = 'Confirm', outcome, isRateLimited, footer }: ConfirmFormProps) {
  if (outcome !== null) {
    return (
      <AccountFrame title={outcome.title} lead={outcome.lead} footer={footer}>
        <ButtonLink to={outcome.next.to} width="full">
          {outcome.next.text}
        </ButtonLink>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title={title} lead={lead} footer={footer}>
      {/* A plain form, so that it works without JavaScript. */}
      <form method="post">
        {isRateLimited && <FailureMessage title="Too many attempts." text="Please wait a minute and try again." />}
        <Button type="submit" width="full">
          {button}
        </Button>
      </form>
    </AccountFrame>
  );
}
