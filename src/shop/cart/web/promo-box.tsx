import { useEffect, useRef, useState } from 'react';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import type { Cart } from '../contract.ts';
import { formatPromoBenefit } from '#src/shop/promotions/promo-label.ts';
import { applyPromo, removePromo } from './change-cart.ts';
import { isFocusVisible } from '#src/ui/browser/focus-fallback.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import styles from './promo-box.module.css';

/** PROMO-02: how long an error is shown. */
const ERROR_MS = 3000;
const MAX_LENGTH = 64;

type Promo = Pick<Cart, 'appliedPromoCode' | 'promoError' | 'suggestedPromo'>;

const formatError = (error: unknown): string => describeOutage(error) ?? 'Promo code not found';

interface PromoBoxProps {
  readonly cart: Promo;
  /** There is nothing that a code could reduce. */
  readonly isDisabled: boolean;
}

/** @param isApplied whether a code is applied, which is removed before another is typed */
function usePromoForm(isApplied: boolean) {
  const [written, setWritten] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const holdsFocus = useRef(false);

  const change = async (action: () => Promise<void>, done: string) => {
    holdsFocus.current = isFocusVisible();
    await action();
    setWritten('');
    showToast('success', done);
  };
  const apply = (code: string) => change(() => applyPromo(code.trim()), 'Promo code applied successfully');
  const { submit, isBusy, failure, failed, show, run } = useCallForm({
    log: 'Changing the promo code failed',
    read: () => (!isApplied && written.trim() !== '' ? written : null),
    send: apply,
    describe: (error) => ({ text: formatError(error), problems: {} }),
  });

  useEffect(() => {
    if (isBusy || !holdsFocus.current) return;
    // The pressed button was removed or disabled.
    holdsFocus.current = false;
    form.current?.querySelector('input')?.focus({ preventScroll: true });
  }, [isBusy]);

  useEffect(() => {
    if (failed === null) return undefined;
    const timer = setTimeout(() => show(null), ERROR_MS);
    return () => clearTimeout(timer);
  }, [failed, show]);

  return {
    form,
    written,
    setWritten,
    submit,
    isBusy,
    failure,
    apply: (code: string) => void run(() => apply(code)),
    remove: () => void run(() => change(removePromo, 'Promo code removed')),
  };
}

/** Form to enter, show and remove a promo code. */
export function PromoBox({ cart, isDisabled }: PromoBoxProps) {
  const { appliedPromoCode: applied, promoError, suggestedPromo: suggested } = cart;
  const isHydrated = useHydrated();
  const { form, written, setWritten, submit, isBusy, failure, apply, remove } = usePromoForm(applied !== null);

  return (
    <form ref={form} method="post" action="/cart" className={styles.form} onSubmit={submit}>
      <div className={styles.row}>
        <Field
          label="Promo code"
          name={applied === null ? 'promo' : 'applied'}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={MAX_LENGTH}
          readOnly={applied !== null}
          disabled={isDisabled}
          value={applied === null ? written : applied.code}
          message={failure ?? promoError}
          onChange={(event) => setWritten(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="secondary"
          isBusy={isBusy && applied === null}
          // Before hydration the typed value is unknown.
          disabled={isDisabled || applied !== null || (isHydrated && written.trim() === '')}
        >
          Apply
        </Button>
      </div>
      <div className={styles.applied}>
        <output>{applied !== null && promoError === null && `${applied.code}: ${formatPromoBenefit(applied)}.`}</output>
        {applied !== null && (
          <Button
            type="submit"
            name="promo"
            value=""
            variant="quaternary"
            isBusy={isBusy}
            aria-label={`Remove promo code ${applied.code}`}
            onClick={(event) => {
              event.preventDefault();
              remove();
            }}
          >
            Remove
          </Button>
        )}
      </div>
      {suggested !== null && (
        <p className={styles.suggested}>
          <span>
            <span>{applied === null ? 'Save with ' : 'Save more with '}</span>
            <strong translate="no">{suggested.code}</strong>
            <span>{`: ${formatPromoBenefit(suggested)}.`}</span>
          </span>
          <Button
            type="submit"
            name="promo"
            value={suggested.code}
            variant="tertiary"
            disabled={isBusy}
            onClick={(event) => {
              event.preventDefault();
              apply(suggested.code);
            }}
          >
            {`Use ${suggested.code}`}
          </Button>
        </p>
      )}
    </form>
  );
}
