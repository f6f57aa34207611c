import type { ReactNode, SubmitEvent } from 'react';
import { useId, useState } from 'react';
import { isApiFailure } from '#src/storefront/api.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { loadOrder } from '#src/storefront/session/session.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { Button } from '#src/ui/button.tsx';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import styles from './demo-action.module.css';

interface DemoActionProps {
  readonly title: string;
  /** What the action simulates. */
  readonly about: string;
  /** Form fields. */
  readonly children: ReactNode;
  /**
   * Label of the button. With several buttons, the field `choice` has the value of the pressed one.
   */
  readonly buttons: readonly { readonly text: string; readonly value?: string }[];
  /** Runs the action and returns its result as text. */
  readonly onSubmit: (data: FormData) => Promise<string>;
}

interface ActionResult {
  readonly text: string;
  readonly isSuccess: boolean;
}

/** A form for one demo action, with its result. */
export function DemoAction({ title, about, children, buttons, onSubmit }: DemoActionProps) {
  const titleId = useId();
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<ActionResult | null>(null);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const data = new FormData(event.currentTarget, event.nativeEvent.submitter);
    setIsBusy(true);
    setResult(null);
    try {
      setResult({ text: await onSubmit(data), isSuccess: true });
      await Promise.all([reloadPage(), loadOrder()]);
    } catch (error) {
      setResult({ text: describeError(error), isSuccess: false });
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <section className={styles.action} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <p className={styles.about}>{about}</p>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        {children}
        <div className={styles.buttons}>
          {buttons.map(({ text, value }) => (
            <Button
              key={text}
              type="submit"
              variant="secondary"
              name="choice"
              value={value}
              isBusy={isBusy || !isHydrated}
            >
              {text}
            </Button>
          ))}
        </div>
      </form>
      <output className={styles.result} data-tone={result?.isSuccess === false ? 'bad' : 'good'}>
        {result?.text}
      </output>
    </section>
  );
}

function describeError(error: unknown): string {
  if (!isApiFailure(error)) return error instanceof Error ? error.message : 'The action failed.';
  const fields = Object.values(error.fields);
  if (error.status === 0) return describeFailure(error);
  if (error.status === 404) return 'There is no such order.';
  return fields.length > 0 ? `${error.message}: ${fields.join(', ')}.` : `${error.message}.`;
}
