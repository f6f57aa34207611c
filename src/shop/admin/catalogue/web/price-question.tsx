import type { SubmitEvent } from 'react';
import { useRef, useState } from 'react';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { classNames } from '#src/ui/styles/class-names.ts';
import type { PriceChange } from '../large-price-changes.ts';
import listStyles from './products-page.module.css';

interface Question {
  readonly changes: readonly PriceChange[];
  readonly form: HTMLFormElement;
  /** The button that was pressed. */
  readonly submitter: HTMLElement | null;
}

/** Asks before a form is submitted whose prices change by half or more. @param list such changes, none to submit at once */
export function usePriceQuestion(list: () => readonly PriceChange[]) {
  const [asked, setAsked] = useState<Question | null>(null);
  const isConfirmed = useRef(false);
  const ask = (event: SubmitEvent<HTMLFormElement>): void => {
    const changes = isConfirmed.current ? [] : list();
    isConfirmed.current = false;
    if (changes.length === 0) return;
    event.preventDefault();
    setAsked({ changes, form: event.currentTarget, submitter: event.nativeEvent.submitter });
  };
  const confirm = (): void => {
    setAsked(null);
    isConfirmed.current = true;
    asked?.form.requestSubmit(asked.submitter);
  };
  const question = <PriceQuestion changes={asked?.changes ?? []} onCancel={() => setAsked(null)} onConfirm={confirm} />;
  return { ask, question };
}

interface PriceQuestionProps {
  /** Empty: closed. */
  readonly changes: readonly PriceChange[];
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

/** Asks about prices that change by half or more, with both numbers. */
function PriceQuestion({ changes, onCancel, onConfirm }: PriceQuestionProps) {
  return (
    <Dialog
      title="Change prices by half or more?"
      isOpen={changes.length > 0}
      onClose={onCancel}
      actions={
        <>
          <Button variant="secondary" onClick={onCancel}>
            Edit prices
          </Button>
          <Button onClick={onConfirm}>Save these prices</Button>
        </>
      }
    >
      <Lines
        gap={8}
        isFramed
        className={classNames('tabular wrap-anywhere', listStyles.changes)}
        tabIndex={0}
        aria-label="Prices that change by half or more"
      >
        {changes.map(({ name, before, after }) => (
          <li key={name}>
            <span>{name}</span>
            <span>
              ${formatUsdAmount(before)} → ${formatUsdAmount(after)}
            </span>
          </li>
        ))}
      </Lines>
    </Dialog>
  );
}
