import type { ReactNode } from 'react';
import { Button, ButtonLink } from '#src/ui/button.tsx';
import { AccountFrame, FailureMessage } from './account-frame.tsx';

export interface ConfirmOutcome {
  readonly title: string;
  readonly lead: string;
  /** Where to go from there. */
  readonly next: { readonly to: string; readonly text: string };
}

interface ConfirmFormProps {
  /** What is confirmed by pressing. */
  readonly title: string;
  readonly lead: string;
  /** What became of it; null as long as it is to be pressed. */
  readonly outcome: ConfirmOutcome | null;
  /** It was pressed too often. */
  readonly isRateLimited: boolean;
  readonly footer: ReactNode;
}

/** What a link in a mail leads to: one button for a person to press, and what became of it. */
export function ConfirmForm({ title, lead, outcome, isRateLimited, footer }: ConfirmFormProps) {
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
      {/* As it stands, without a script too. */}
      <form method="post">
        {isRateLimited && <FailureMessage title="That was too often." detail="Please wait a minute and try again." />}
        <Button type="submit" width="full">
          Confirm
        </Button>
      </form>
    </AccountFrame>
  );
}
