import type { ReactNode } from 'react';
import { useState } from 'react';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { ErrorState } from '#src/ui/feedback/states.tsx';

interface LoadedPartProps<Data> {
  /** Null: it could not be loaded. */
  readonly data: Data | null;
  /** Says that it could not be loaded. */
  readonly failure: string;
  readonly children: (data: Data) => ReactNode;
}

/**
 * A part of a page that is loaded by a call of its own. If that fails later, the part stays as it was, with its typed
 * text and open dialogs, and the failure is shown below it. Its key names what is shown, for example the order.
 */
export function LoadedPart<Data>({ data, failure, children }: LoadedPartProps<Data>) {
  const [last, setLast] = useState(data);
  if (data !== null && data !== last) setLast(data);
  const shown = data ?? last;
  const title = shown === null ? failure : `${failure} What is shown may be out of date.`;
  return (
    <>
      {shown !== null && children(shown)}
      {data === null && <ErrorState title={title} onRetry={() => void reloadPage()} />}
    </>
  );
}
